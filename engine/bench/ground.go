package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// asIs stands for the file system of the folder given with -dir.
const asIs = "as-is"

// A ground is an empty folder in which one round takes place.
type ground struct {
	dir  string
	free func() error // takes it away, with all that is in it
}

// newGround makes a ground below work: a fresh file system of that kind and size, in a file that is mounted, or a fresh
// folder for asIs. ext4 avoids inodes freed in the last minutes and becomes several times slower where much was just
// deleted, so a used file system is never used again.
func newGround(ctx context.Context, fs, work string, r room) (*ground, error) {
	dir, err := os.MkdirTemp(work, fs+"-")
	if err != nil {
		return nil, err
	}
	remove := func() error { return os.RemoveAll(dir) }
	if fs == asIs {
		return &ground{dir, remove}, nil
	}
	image := dir + ".img"
	remove = func() error { return errors.Join(os.RemoveAll(dir), os.RemoveAll(image)) }
	if err := mountFresh(ctx, fs, image, dir, r); err != nil {
		return nil, errors.Join(err, remove())
	}
	// Unmounting must also happen after an interrupt, which ends ctx. The folder is removed only when nothing is mounted
	// on it any more: nothing is deleted file by file.
	ctx = context.WithoutCancel(ctx)
	return &ground{dir, func() error {
		if err := command(ctx, "umount", dir); err != nil {
			if err := command(ctx, "umount", "-l", dir); err != nil {
				return err
			}
		}
		return remove()
	}}, nil
}

func mountFresh(ctx context.Context, fs, image, dir string, r room) error {
	if fs == "tmpfs" {
		return command(ctx, "mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d,nr_inodes=0", r.bytes), "tmpfs", dir)
	}
	// ext4 would otherwise go on preparing itself for a while after it has been mounted.
	flags := map[string][]string{
		"ext4": {"-qF", "-E", "lazy_itable_init=0,lazy_journal_init=0"}, "xfs": {"-qf"}, "btrfs": {"-qf"},
	}[fs]
	if flags == nil {
		return fmt.Errorf("no way to make a file system of kind %q", fs)
	}
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		return err
	}
	if err := os.Truncate(image, r.bytes); err != nil {
		return err
	}
	argv := append([]string{"mkfs." + fs}, flags...)
	const bytesPerInode = 16384 // what mkfs.ext4 makes by itself; the others make inodes when they are needed
	if fs == "ext4" && int64(r.inodes) > r.bytes/bytesPerInode {
		argv = append(argv, "-N", fmt.Sprint(r.inodes))
	}
	if err := command(ctx, append(argv, image)...); err != nil {
		return err
	}
	// The memory of the image is taken now: otherwise whoever first writes to a block would pay for it.
	if err := command(ctx, "fallocate", "-l", fmt.Sprint(r.bytes), image); err != nil {
		return err
	}
	return command(ctx, "mount", "-o", "loop,nodiscard", image, dir)
}

// command runs a program whose output is of interest only if it fails.
func command(ctx context.Context, argv ...string) error {
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, tail(out))
	}
	return nil
}

// tail is the end of what a program printed, on one line.
func tail(out []byte) string {
	const most = 400
	return strings.Join(strings.Fields(string(out[max(0, len(out)-most):])), " ")
}

// flush writes out what is still to be written on the ground, so that one program does not pay for another's data.
func (g *ground) flush(ctx context.Context) error { return command(ctx, "sync", "-f", g.dir) }

func (g *ground) path(name string) string { return filepath.Join(g.dir, name) }
