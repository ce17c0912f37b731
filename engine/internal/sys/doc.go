// Package sys is the one door to the kernel: no other package imports golang.org/x/sys/unix.
//
// It promises: every call is retried on EINTR; names travel as bytes; no call allocates on the path of a small file;
// descriptors are close-on-exec. Techniques to move bytes return (n, handled, err): "not handled" means that this
// technique does not work for these files and nothing was written, so that the next one may try on the same
// descriptors; an error means that the file itself is in trouble (ENOSPC, EIO, …) and no other technique will help.
//
// It does not promise portability: files end in _linux.go.
package sys
