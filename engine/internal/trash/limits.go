package trash

import "time"

const (
	// nameMax is how long a name in the trash may be, in bytes: its info has the same name with a suffix, and 255 altogether.
	nameMax = 255 - len(infoSuffix)
	// namedTries is how many names a person would choose are tried: NAME, NAME.2, … Each costs 2 µs on a local file system and a round trip on
	// a network one. After that names are random, so that a thousand files of one name are no slower than one.
	namedTries = 5
	// randomTries is how many random names are tried. One is enough but for a file system that says of everything that it exists.
	randomTries = 3
	// putTries is how often Put begins again because somebody took a name in the trash that had just been free.
	putTries = 3
	// infoMax is the longest info that is read, in bytes. The path of a file 5000 folders deep has about 1 MB.
	infoMax = 4 << 20
	// coarse is how coarsely file systems keep times whose inodes have no lasting numbers: FAT takes steps of two seconds.
	coarse = 2 * time.Second
)
