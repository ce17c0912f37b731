package sys

import "golang.org/x/sys/unix"

// Native reports whether the file system of an open folder is one of those that take every name and tell letter case.
// FAT, NTFS, network file systems and everything over FUSE may do neither and have to be tried.
func Native(dir int) bool {
	var st unix.Statfs_t
	if unix.Fstatfs(dir, &st) != nil {
		return false
	}
	switch int64(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC:
		return true
	}
	return false
}
