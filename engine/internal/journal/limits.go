package journal

import "time"

// Every number that was chosen, with its unit and its reason.
const (
	// maxFrame is the longest payload in bytes. The longest that is written is Begin with the request: a million selected
	// paths of 60 bytes. A reader needs as much memory, so that damage must not make it believe in more.
	maxFrame = 64 << 20
	// keptBuffer is how large an encoding buffer may be to stay, in bytes. A batch of 32 names of 255 bytes needs 10 kB.
	keptBuffer = 64 << 10
	// readChunk is what one read of a long journal asks for, in bytes.
	readChunk = 64 << 10
	// listChunk is what List reads of each end of a journal, in bytes: all of a short one. Begin stands at the start and how the
	// job has ended in the last frame, so that this is nearly always enough. A long journal takes 19 µs with 4 KiB, 20 with 8, 22 with 16
	// and 34 with 64, and 100 µs for each 160 kB that have to be walked.
	listChunk = 8 << 10
	// staleAfter is when Prune takes away what a crash has left of Create, which takes less than a second.
	staleAfter = time.Hour
	// maxID is the longest ID in bytes: the name of the file has to fit into 255.
	maxID = 128
)
