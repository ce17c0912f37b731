// Package journal is the append-only record of what a job does to the disk. Undo, resume and the clean-up after a crash read
// it; nothing else of the program depends on it.
//
// A job has one file, ID.journal, in the folder of a Store. It begins with a header (magic, version), then come frames:
//
//	length u32 | CRC-32C of length and payload u32 | payload | length u32      (little-endian)
//
// What one call of Append writes is one frame. The payload is a protobuf message in which each record is a field; wire.go has
// that encoding. A kind of record or a field that a reader does not know is passed over, so that a later version can add both
// without a new version number. The second length is for reading from the end: how a job has ended stands in its last frame.
//
// The life of a file in it: Folder tells once which folders a number stands for. Intent says which names are about to be
// created, Made which of them are proven to be the job's own, by inode, before any content goes into them. Outcome says what
// became of them, and settles the intents. An intent that nothing settles is what a crash has left. Clean-up may remove of it
// what still has the inode that Made says, and nothing else: after an exchange a temporary name stands for the old file.
//
// It promises:
//   - What an Append has returned for is there after a crash of the process (kill -9), whole and in order.
//   - An Append is there whole or not at all. A torn or damaged end is never an error: reading ends before it, and Reopen cuts it off.
//   - After an error of Append (a full disk) nothing of it is left, and the next Append works as soon as there is room.
//   - A file that is being written is locked: another process can tell a job that runs from one that was cut off.
//   - A Store never removes a journal that is being written or, by Prune, one whose job has not ended.
//   - Memory does not grow with the journal, neither writing nor reading; appending allocates nothing.
//
// It does not promise:
//   - What a power cut leaves. The end since the last Sync may be lost, even where copies that it tells of have arrived. Begin has
//     the boot, so that a reader can tell whether there has been one since.
//   - More after damage in the middle of a file than what stands before it.
//   - To be read while a job is writing: a reader then sees the journal up to some Append.
package journal
