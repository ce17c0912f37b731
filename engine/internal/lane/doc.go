// Package lane moves content between places by the cheapest technique that the pair accepts.
//
// Local is the lane within this machine: clone, copy_file_range, read and write. Each technique says "not handled" where
// it does not work, the next one takes over on the same descriptors, and what a pair of devices refused is not
// tried on it again. An error of the file itself (ENOSPC, EIO) stops at once: no other technique is tried after it.
package lane
