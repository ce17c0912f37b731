package engine

import (
	"runtime"
	"time"
)

// Every number that was chosen, with its unit and its reason. BENCHMARKING.md has the measurements.
const (
	// batchFiles is how many files of one folder travel together. Short enough that two workers share a folder of
	// a hundred files evenly, long enough that handing over costs nothing against 32 creates (about 1 ms).
	batchFiles = 32
	// batchBytes ends a batch of files whose sizes the scan knows earlier, so that a batch of middling files stays a matter of
	// milliseconds.
	batchBytes = 4 << 20
	// queueBatches is how far the scan may run ahead: with full batches 2048 entries, 200 kB. Nobody needs more of them: with
	// 65 536 a copy of 20 000 files touched 600 pages of memory more and took 1 to 2 % longer.
	queueBatches = 64
	// bigFile is the size in bytes from which a file is copied in chunks and has no name until it is whole.
	// Below it one or a few reads do, and O_TMPFILE would cost 10 to 15 % (BENCHMARKING.md).
	bigFile = 1 << 20
	// aheadAfter is when somebody begins to walk ahead of the scan, only to count. A shorter job is over before a person
	// could read its totals, and while it counts on one of two cores the copy goes a third slower.
	aheadAfter = time.Second
	// readBuffer is what one read of a small file asks for, in bytes, per worker.
	readBuffer = 256 << 10
	// holeGrain is how long a run of zeros becomes a hole at least, in bytes: the block of most file systems. Finer than that
	// nothing is saved, and holes that are kept are never finer either.
	holeGrain = 4096
	// direntBuffer is what one getdents64 may return, in bytes: about 1000 names.
	direntBuffer = 32 << 10
	// xattrBuffer is the longest list of attribute names the kernel gives, in bytes (XATTR_LIST_MAX).
	xattrBuffer = 64 << 10
	// openFolders is how many folders outside current use keep their two descriptors, at most. Reopening costs 3 µs, so
	// that more would gain nothing; afford has fewer where the process may not have as many.
	openFolders = 256
	// pathStep is the longest relative path in bytes that one call may carry; the kernel's limit is 4096 with the NUL.
	pathStep = 4000
	// cancelGrace is how long a cancelled job waits for workers that a device keeps in the kernel.
	// They are left behind then, and clean up after themselves when they come back.
	cancelGrace = 150 * time.Millisecond
	// removeEvery is how often a move writes out what it has copied and takes the sources away, unless writing takes longer. Once a
	// second loses nothing against more rarely, and who cancels finds few files on both sides.
	removeEvery = time.Second
	// removeFiles is how many files let that begin earlier, and removeBacklog from how many on workers wait: with 300 bytes each, 20 MB.
	removeFiles   = 16 << 10
	removeBacklog = 64 << 10
	// removeGrace is how long a job that has failed may take to remove sources that are whole on the other side.
	removeGrace = 10 * time.Second
	// ripeAfter is how long after a change the next one is sure to show in a file's times, with a clock of 100 Hz in the kernel.
	ripeAfter = 20 * time.Millisecond
	// recordBacklog is how many finished batches may wait for the recorder before workers wait for it.
	recordBacklog = 64
	// timeJitter is by how much a network file system may tell two times of one file that nobody has written to: clocks of
	// servers that are kept in step differ by milliseconds.
	timeJitter = time.Second
	// recentWrite is how old a time may be that stands for a write during the copy, with servers' clocks behind by seconds.
	recentWrite = 10 * time.Second
	// freeNameTries bounds how often somebody else may take a name that seemed to be free.
	freeNameTries = 10000
	// freeNamesInTurn is up to which number every free name is tried, so that gaps are filled; from there on the search leaps.
	freeNamesInTurn = 8
	// maxNumber is the highest number that the search for a free name looks at.
	maxNumber = 1 << 40
	// numberedNames is for how many names a job remembers the number that it gave last: a megabyte or less. Beyond that it forgets,
	// and looks once more.
	numberedNames = 4096
	// nameMax is the longest file name in bytes that Linux file systems take.
	nameMax = 255
)

// afford says how many files one worker may have open at once, as pairs, and how many folder pairs may stay open unused,
// if the process may have limit descriptors. A quarter each, so that a second job finds some too; never so few that
// nothing works. 32 are for the program itself: streams, watches, the connection to the screen.
func afford(limit, workers int) (width, folders int) {
	quarter := max(0, limit-32) / 4
	return min(max(quarter/(2*workers), 1), batchFiles), min(max(quarter/2, 1), openFolders)
}

// defaultWorkers: two workers beat one everywhere, three and four gain little on two cores (BENCHMARKING.md);
// more than eight fight for the same folder and device locks.
func defaultWorkers() int { return min(max(runtime.GOMAXPROCS(0), 2), 8) }
