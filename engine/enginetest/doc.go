// Package enginetest builds what tests of the engine need, and looks at what came of it.
//
//	Build        declarative trees: every kind of entry, with mode, owner, times, attributes, holes
//	Fingerprint  all that can be told about a tree, for comparing; names are bytes, depth has no limit
//	Loop, Tmpfs, Bind  fresh file systems, unmounted at the end; where that is not permitted the test is skipped with the reason
//	Fuse         a view of a folder in which something goes wrong: one wrapper per behaviour, freely combined
//	As           the rest of a test in a process of another user, with another umask
//
// It promises to leave nothing mounted and nothing behind, also when a test fails. It knows nothing of the engine, so that
// what it says about a tree cannot be wrong in the same way.
package enginetest

// T is the part of testing.T that this package needs; a *testing.T or *testing.B will do.
type T interface {
	Helper()
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
	Cleanup(f func())
}
