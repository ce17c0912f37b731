// Package change tells folder views what changed, in the terms of fsnotify.
//
// A view watches the one folder that it shows:
//
//	w, err := hub.Watch(dir) // first watch,
//	list(dir)                // then list: nothing in between is missed
//	for b := range w.Batches() {
//		switch {
//		case b.Gone:      // show that there is no such folder (now)
//		case b.LookAgain: // list anew
//		default:          // look at each name in b.Events
//		}
//	}
//
// Two sources are merged:
//
//	engine ─► Hub.Post ────────────┐
//	                               ├─► inbox (≤ 64 names, or "look again") ─► pacer (≤ 10 batches a second) ─► Batches
//	kernel ─► fsnotify ─► reader ──┘
//
// It promises:
//   - After Watch has returned, every change of the folder leads to a batch: an event for the name, or LookAgain. This holds for
//     floods, for an overflow of the kernel's queue, and for the folder being removed, renamed, replaced, mounted over or unmounted.
//   - Neither the engine nor another view ever waits for a consumer, and a consumer that does not read costs a few KiB at most.
//   - Nobody waits for a mount that hangs but the watch's own reader.
//   - Temporary names (IsTemp) are never told, and what the engine posted is not told a second time when the kernel reports it
//     shortly after.
//   - After Close no goroutine of the watch is left, except one that the kernel holds on a dead mount.
//
// It does not promise:
//   - that events say what is there now: a consumer looks at the disk for every name (see Batch.Events);
//   - that every single step is told: what happened to one name within a batch is put together, and a name that came and went may
//     only be told as removed;
//   - an order between different names;
//   - promptness where the kernel is silent: changes by other machines on a network folder, a renamed folder further up, or a folder
//     without a watch (Watch.Err) are found by comparing within 5 s, and then mean LookAgain or Gone.
package change
