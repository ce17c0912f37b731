package engine

import "os"

// Request says what a job shall do. The zero value of every field but Sources and Dest is the sensible default.
type Request struct {
	// Sources are paths of this machine, absolute or relative to the working directory, in any bytes.
	// One that ends in "/." means what is in that folder.
	Sources []string
	// Dest is an existing folder (the sources go into it), or, for one source, the name of the copy
	// in an existing folder.
	Dest string

	// Move takes each source away when it is whole at the destination. Within one file system it gets another name and nothing is
	// read or written, a folder with all that is in it; else it is copied, the copy is written to the medium, and then the source is
	// removed, file by file. What is left out, fails or waits for an answer stays at the source, with the folders above it. A
	// folder onto a folder merges. Of a source that ends in "/." the folder itself stays. It goes neither with Duplicate nor
	// with LinksFollow.
	//
	// Where source and destination are two names of one file and nothing says otherwise (RuleSkip, RuleNewer, …), the name at the
	// source goes. They are the same file, and nothing happens (ErrSameFile), where they may be one name reached in two ways.
	//
	// With Move, Exclude lets folders move piece by piece, so that what is left out stays; what is mounted within a folder that moves as
	// a whole goes with it.
	Move bool

	Rule     Rule     // what to do where something is in the way
	OnError  OnError  // what to do when an item fails
	Preserve Preserve // which metadata the copy keeps
	Reflink  Reflink  // whether blocks are shared where the file system can
	Sparse   Sparse   // where copies have holes
	Links    Links    // what happens with symbolic links in the sources

	// OneFileSystem leaves out what folders below a source hold that are on another device than the folder above them: what
	// is mounted there, and subvolumes of btrfs. The folder itself is copied, empty, as a place to mount. A bind mount of the
	// same file system is the same device.
	OneFileSystem bool
	// Exclude are globs (path.Match, with [!a-z] for [^a-z]) of what is left out, also of what Sources name. One without "/" is
	// matched against every name, one with "/" against the path relative to the source's parent, or to the folder itself if the
	// source ends in "/."; one that ends in "/" means folders only. What is in a folder that is left out is left out with it.
	Exclude []string
	// Duplicate gives a source that already lies in Dest a free name beside itself ("photo (copy).jpg"),
	// as a paste into the same folder does. Without it that is ErrSameFile.
	Duplicate bool
	// DryRun walks, counts and finds what is in the way, and writes nothing.
	DryRun bool
}

// Rule answers questions of kind WhyExists by itself, for a whole job.
// Kind mismatches (a folder in the way of a file, and the reverse) are never answered by Replace or Newer.
type Rule uint8

// The rules. Ask parks each question until Job.Decide answers it.
const (
	RuleAsk       Rule = iota
	RuleSkip           // leave the existing one, do not copy
	RuleReplace        // put the new one in its place
	RuleNewer          // replace only if the source was modified later than the existing one
	RuleKeepBoth       // give the copy a free name
	RuleRenameOld      // give the existing one a free name
)

// OnError says what a failed item means for the rest of the job.
type OnError uint8

// Skip lists the item and goes on; Stop ends the job as failed.
const (
	OnErrorSkip OnError = iota
	OnErrorStop
)

// Preserve is a set of metadata. Its zero value is PreserveDefault.
type Preserve uint16

// What can be kept. PreserveDefault keeps everything that the user may set: owner and group only as root.
const (
	PreserveDefault   Preserve = 0
	PreserveMode      Preserve = 1 << iota // permission bits
	PreserveOwner                          // user and group, also where that may fail (then: a warning)
	PreserveTimes                          // modification and access time, in nanoseconds
	PreserveXattr                          // extended attributes
	PreserveACL                            // POSIX access control lists
	PreserveHardlinks                      // names of one file stay names of one file
	PreserveNone                           // nothing: as if newly made
	PreserveAll       = PreserveMode | PreserveOwner | PreserveTimes | PreserveXattr | PreserveACL | PreserveHardlinks
)

// Without returns the set without what is in q. Of PreserveDefault it takes away from what the user of this process keeps by default.
func (p Preserve) Without(q Preserve) Preserve {
	if p == PreserveDefault {
		p = PreserveAll
		if os.Geteuid() != 0 {
			p &^= PreserveOwner
		}
	}
	if p &^= q; p == 0 {
		p = PreserveNone
	}
	return p
}

// Reflink says whether a copy may share its blocks with the source until one of them is written.
type Reflink uint8

// Auto clones where that is possible, Always fails where it is not, Never writes the data a second time.
const (
	ReflinkAuto Reflink = iota
	ReflinkAlways
	ReflinkNever
)

// Sparse says where copies have holes: stretches of zeros that take no room on the disk.
type Sparse uint8

// Auto keeps the holes of the source, Always makes a hole of every block of zeros, Never writes everything out. The last
// two read and write all content themselves, so that they cannot be had together with ReflinkAlways.
const (
	SparseAuto Sparse = iota
	SparseAlways
	SparseNever
)

// Links says what happens with symbolic links in the sources.
type Links uint8

// Keep copies a link as a link with the same text, Follow copies what it points to.
const (
	LinksKeep Links = iota
	LinksFollow
)
