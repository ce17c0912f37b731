// Package trash puts files into the trash of the desktop and brings them back, as the Trash specification 1.0 of FreeDesktop.org says, so
// that file managers show what is there, restore it and empty it.
//
//	For            the trash for what lies in an open folder, made if it may be
//	Bin.Put        moves an entry there: first the info, exclusively, then one rename that replaces nothing
//	Ticket         where it went and what it was, in bytes that a journal can keep
//	Find           after a restart: the trash that has what a ticket stands for
//	Bin.Restore    moves it back under a name that must be free
//
// Put is Reserve and Move in one. A journal that writes down its intent before the deed calls them one after the other and keeps the ticket of
// Reserve in between; what a crash leaves of it is taken back by Forget, or found by Restore.
//
// Which trash it is: that of the home ($XDG_DATA_HOME/Trash) for what can be renamed into it, else, at the mount point of the folder, .Trash/UID in
// a .Trash that the administrator made, else .Trash-UID, which is made if the user may. Being able to rename is tried, not guessed
// from device numbers: a bind mount has that of what it shows and is another place all the same.
//
// It promises:
//   - Nothing is lost. An entry is at its old place or in the trash, at every moment, and nothing is ever replaced on either way. After an error of Put it is at its
//     old place, and no info is left that speaks of it.
//   - No trash folder is used that belongs to somebody else, that others may write to, or that is reached by a link: neither it nor a folder in it. They are
//     held open, so that nothing can be put in their place later.
//   - Names are bytes, up to the length that the file system takes.
//   - What Restore brings back is what was put there: kind, size, modification time, and the inode where the file system keeps the numbers of inodes. On
//     others (FAT, network, FUSE) the info must be the one that Put wrote, and times may differ by what such file systems round.
//   - It never lists the trash: putting 500 files there takes as long if 100 000 are there already, also if all have the same name.
//   - A Bin may be used by several goroutines at once. Close comes last.
//
// It does not promise:
//   - that there is a trash. Without one (read-only, no rights, a nested btrfs subvolume, a folder of another user in its place) the error is ErrNoTrash, and
//     nothing is copied elsewhere instead.
//   - to be quick to find a trash: For and Find look at the home and at the mount point, and wait for a device that does not answer.
//   - that a crash leaves no info without a file: it can between the two steps. Trash programs pass over it. Forget removes it if the ticket
//     of Reserve was kept.
//   - that the info survives a power failure as the file does: nothing is flushed to the disk for it. Restore does not need it where inodes have lasting numbers.
//   - to close a trash folder to readers if the user has opened it to them. Those made here are 0700.
//   - directorysizes, a cache in which trash programs keep how big the folders in the trash are: it is neither read nor written. They compute what
//     is not in it, and leave out what is in it and not in the trash any more.
//   - to restore what other programs put there.
package trash
