// Package place knows where a tree is: on this machine or another, written as a path, as a file URI or as host:path. It
// lists folders, and finds the places where a person keeps things: the home folder and the mounted devices.
//
// It promises:
//   - Names are bytes. What Parse and FileURI pass on is, byte for byte, what they were given; nothing is cleaned, so that "a/." and
//     "a/../b" keep what they mean to the kernel.
//   - No function but Parse waits for a device that does not answer longer than its context, or than half a second where it has
//     none. One entry or device that does not answer is marked, and all others are there. A goroutine that the kernel holds is left
//     behind, but not one each time: a device is asked again when it has answered, and of a folder's links 16 at most are followed
//     into the void.
//   - List leaves nothing out silently but what vanished while it read: what may not be looked at is listed with its error.
//
// It does not promise:
//   - that what Parse returns exists. It looks at the disk for one thing only, see there;
//   - an order of entries: sorting is up to the view;
//   - a listing of one moment: the folder may change while it is read. Package change tells what did.
package place
