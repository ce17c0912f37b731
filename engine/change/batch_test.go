package change

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/fsnotify/fsnotify"
)

const (
	create = fsnotify.Create
	write  = fsnotify.Write
	remove = fsnotify.Remove
	rename = fsnotify.Rename
	chmod  = fsnotify.Chmod
)

type step struct {
	name string
	op   fsnotify.Op
}

func TestEventsOfOneNameKeepTheirMeaning(t *testing.T) {
	for _, c := range []struct {
		title string
		steps []step
		want  []fsnotify.Event
	}{
		{"made, written, changed: one event", []step{{"a", create}, {"a", write}, {"a", chmod}}, []fsnotify.Event{{Name: "/d/a", Op: create | write | chmod}}},
		{"made and removed: it is gone", []step{{"a", create}, {"a", remove}}, []fsnotify.Event{{Name: "/d/a", Op: remove}}},
		{"removed and made again: both, in order", []step{{"a", remove}, {"a", create}}, []fsnotify.Event{{Name: "/d/a", Op: remove}, {Name: "/d/a", Op: create}}},
		{"renamed, made, renamed: it is gone", []step{{"a", rename}, {"a", create}, {"a", rename}}, []fsnotify.Event{{Name: "/d/a", Op: rename}}},
		{"names keep the order in which they came up", []step{{"b", create}, {"a", create}, {"b", write}}, []fsnotify.Event{{Name: "/d/b", Op: create | write}, {Name: "/d/a", Op: create}}},
		{"any bytes", []step{{"\xff\n%", create}}, []fsnotify.Event{{Name: "/d/\xff\n%", Op: create}}},
		{"the folder itself", []step{{"", chmod}}, []fsnotify.Event{{Name: "/d", Op: chmod}}},
		{"nothing", []step{{"a", 0}}, []fsnotify.Event{}},
	} {
		t.Run(c.title, func(t *testing.T) {
			var p pending
			for _, s := range c.steps {
				p.add(s.name, s.op)
			}
			if got := p.batch("/d"); !reflect.DeepEqual(got, Batch{Events: c.want}) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			// What is handed on while a consumer is slow must read the same.
			var q pending
			p.moveTo(&q)
			if got := q.batch("/d"); !reflect.DeepEqual(got, Batch{Events: c.want}) {
				t.Errorf("handed on: got %v, want %v", got, c.want)
			}
			if !p.empty() {
				t.Error("not empty after it was handed on")
			}
		})
	}
}

func TestManyNamesBecomeLookAgain(t *testing.T) {
	var p pending
	for i := range maxNames {
		p.add(fmt.Sprint(i), create)
		p.add(fmt.Sprint(i), write) // a second event of a name is no further name
	}
	if b := p.batch("/d"); len(b.Events) != maxNames || b.LookAgain {
		t.Fatalf("%d names: %d events, look again %v", maxNames, len(b.Events), b.LookAgain)
	}
	p.add("one more", create)
	for i := range 10 * maxNames {
		p.add(fmt.Sprint("more", i), create)
	}
	if b := p.batch("/d"); !reflect.DeepEqual(b, Batch{LookAgain: true}) {
		t.Fatalf("got %+v, want look again", b)
	}
	if len(p.names) > maxNames || len(p.index) > maxNames {
		t.Errorf("keeps %d names", len(p.names))
	}
}

func TestMergeOfStates(t *testing.T) {
	name := func(p *pending) { p.add("a", create) }
	look := func(p *pending) { p.setLookAgain() }
	gone := func(p *pending) { p.setGone() }
	for _, c := range []struct {
		title       string
		held, later func(*pending)
		want        Batch
	}{
		{"names after look again", look, name, Batch{LookAgain: true}},
		{"look again after names", name, look, Batch{LookAgain: true}},
		{"gone after names", name, gone, Batch{Gone: true}},
		{"gone after look again", look, gone, Batch{Gone: true}},
		{"back before gone was told", gone, look, Batch{LookAgain: true}},
	} {
		t.Run(c.title, func(t *testing.T) {
			var held, p pending
			c.held(&held)
			c.later(&p)
			p.moveTo(&held)
			if got := held.batch("/d"); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestJoin(t *testing.T) {
	for _, c := range [][3]string{{"/", "a", "/a"}, {"/d", "a", "/d/a"}, {"/d", "", "/d"}, {"/", "", "/"}, {"/d", "..x", "/d/..x"}} {
		if got := join(c[0], c[1]); got != c[2] {
			t.Errorf("join(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestIsTemp(t *testing.T) {
	for name, want := range map[string]bool{".drover-": true, ".drover-x1": true, ".drover": false, "drover-x": false, "a.drover-x": false, "": false} {
		if IsTemp(name) != want {
			t.Errorf("IsTemp(%q) = %v", name, !want)
		}
	}
}
