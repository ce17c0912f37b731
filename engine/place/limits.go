package place

import "time"

const (
	// readBuffer holds the names that one call reads from a folder, in bytes: about 2000 short ones, so that the first batch of
	// a big folder is there after some milliseconds, and a folder of 100 000 costs 50 calls.
	readBuffer = 64 << 10
	// readAhead is how many such portions are read while the entries of one are looked at.
	readAhead = 2
	// patience is how long one entry or device may take to answer. A disk that has to spin up takes longer, but then it answers all
	// at once the next time; a person who waits for a list should not wait longer for a part of it.
	patience = 500 * time.Millisecond
	// patienceAgain is for the further ones in the same folder: links to a dead device rarely come alone.
	patienceAgain = 50 * time.Millisecond
	// maxGivenUp is after how many of them the links in a folder are not followed any more: each holds a thread.
	maxGivenUp = 16
	// remeasure is how often mounts are looked at where the kernel does not tell when they change.
	remeasure = 5 * time.Second
	// maxStack bounds the search through encrypted, mapped and joined devices on top of each other. Real ones have three or four layers.
	maxStack = 8
)
