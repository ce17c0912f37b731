package change

import "time"

const (
	// maxNames is how many names of one folder may wait for delivery, counted per watch. Beyond it one listing of the folder is
	// cheaper for the consumer than looking at the names one by one, and memory stays bounded (64 names are a few KiB).
	maxNames = 64

	// quiet is how long nothing must happen before a batch goes out: a tool that makes a file opens, writes and closes it within
	// a few milliseconds, and that should arrive as one event.
	quiet = 25 * time.Millisecond
	// maxDelay is how long an event waits at most for that quiet, so that a folder that is never quiet still updates.
	maxDelay = 100 * time.Millisecond
	// minGap lies between two batches: ten a second are as many as an eye can follow and a screen needs to draw.
	minGap = 100 * time.Millisecond
	// lookGap lies between two batches that say "look again". The answer is a listing of the whole folder, which takes up to
	// 0.3 s for 100 000 entries: more often, a running copy would compete with the view that shows it.
	lookGap = 400 * time.Millisecond

	// echoFor is how long after a post the kernel's report of the same change is taken for an echo. The kernel queues its report
	// before the call returns, so only a reader that was kept waiting by a busy machine delivers it later than a few milliseconds.
	echoFor = time.Second
	// echoNames is how many names are remembered for that: more than all workers together have in hand between the kernel's
	// report and the post, and about 100 KiB at most.
	echoNames = 1024
	// echoDoubt is how long no echo is dropped after the memory of names was incomplete.
	echoDoubt = 10 * time.Second

	// setupWait is how long Hub.Watch waits for the kernel's watch, which takes 0.1 ms unless the file system hangs.
	setupWait = 20 * time.Millisecond
	// closeWait is how long Close waits for a reader that the kernel may hold on a dead mount.
	closeWait = 100 * time.Millisecond
	// recheck is how often a watch compares the folder with what it knows: for what gives no event (a folder above was renamed,
	// another machine changed a network folder, the kernel had no watch to give). One stat every 5 s costs nothing.
	recheck = 5 * time.Second
	// floodRest is how long the kernel's watch is taken off a folder in which so much happens that names are not told any more.
	// Without it kernel and reader work for every single file, only for the result to be thrown away.
	floodRest = 400 * time.Millisecond
	// attachTries bounds the attempts to watch a folder that is replaced at this very moment; the next recheck goes on.
	attachTries = 4
)
