// Package engine copies and moves trees of files, fast, and loses none. It needs no display and says nothing to people.
//
// A job runs in stages, each with a file of its own:
//
//	scan      walk the sources with directory handles; make or find the destination folders
//	batch     runs of entries of one folder pair, in a bounded queue; big files alone
//	copy      workers create each copy exclusively; what is in the way is an outcome, not a halt
//	commit    owner, attributes, ACL, mode, times; publish under the final name
//	record    one goroutine: the journal's place, then the desk
//	announce  tell folder views, once per batch
//	remove    a move: sources whose copies are on the medium are taken away
//	resolve   the desk keeps questions and failures; what is answered goes back into a batch
//
// Promises:
//   - A file under its final name is never replaced but by an answer or rule that says so, and then in one step: the old one is whole
//     until the new one is. It is never written through a link, and never onto the source itself.
//   - A question or failure stops nothing but its own item.
//   - A file of 1 MiB or more is not to be seen under its final name before it is whole. What a cancel or error cuts short is removed.
//   - A move leaves every file whole on one side at least, at any moment, even if the process is killed.
//   - Files ≤ TotalFiles, Bytes ≤ TotalBytes, and neither ever goes back. Pause answers within 100 ms, cancel within 200 ms.
//   - Memory does not grow with the number of files, but for names of folders still to be walked, files with several names, and what waits
//     at the desk (about 200 bytes each).
//
// Not promised:
//   - The order in which files arrive, or that a tree arrives at one moment.
//   - That data is on the medium when the job is done: only the file system was told, except of what a move has copied.
//   - That a copy of a file which is written to meanwhile matches any one moment of it; Warnings says which files those are.
package engine
