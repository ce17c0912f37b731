package engine

import "testing"

// Who was about to begin a scan when a cancelled job ended begins none: nobody would wait for it any more.
func TestNoScanAfterTheEnd(t *testing.T) {
	dir := t.TempDir()
	e := New(Options{Workers: 1})
	j, err := e.Start(t.Context(), Request{Sources: []string{dir + "/missing"}, Dest: dir})
	if err != nil {
		t.Fatal(err)
	}
	j.Cancel()
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := j.run.inFlight.Load()
	j.run.scan(func(*scanner) { t.Error("it began") })
	j.run.helpers.end()
	if after := j.run.inFlight.Load(); after != before {
		t.Errorf("%d in flight, %d before", after, before)
	}
}
