package change

import (
	"fmt"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

func TestEchoes(t *testing.T) {
	start := time.Unix(1000, 0)
	const (
		post = iota
		hear
	)
	type act struct {
		who  int
		op   fsnotify.Op
		at   time.Duration
		want fsnotify.Op // of hear: what is news
	}
	for title, acts := range map[string][]act{
		"the report after the post is an echo, the second one is not": {
			{post, create, 0, 0}, {hear, create, time.Millisecond, 0}, {hear, create, 2 * time.Millisecond, create},
		},
		"only the same operation is an echo": {
			{post, create, 0, 0}, {hear, write, 0, write}, {hear, create, 0, 0},
		},
		"several operations in one post": {
			{post, create | write, 0, 0}, {hear, create, 0, 0}, {hear, write, 0, 0}, {hear, write, 0, write},
		},
		"late: no echo any more": {
			{post, create, 0, 0}, {hear, create, echoFor + time.Millisecond, create},
		},
		"the report came first: the next one is by someone else": {
			{hear, create, 0, create}, {post, create, time.Millisecond, 0}, {hear, create, 2 * time.Millisecond, create},
		},
		"the report came hours before the post of a big file": {
			{hear, create, 0, create}, {hear, write, time.Hour, write}, {post, create, 3 * time.Hour, 0}, {hear, create, 3*time.Hour + time.Millisecond, create},
		},
		"removed and made again by someone else": {
			{post, create, 0, 0}, {hear, remove, 1, remove}, {hear, create, 2, create},
		},
		"made again by someone else after our removal was reported": {
			{hear, remove, 0, remove}, {post, remove, 1, 0}, {hear, create, 2, create}, {hear, remove, 3, remove},
		},
		"a removal is expected until the name is made again": {
			{post, remove, 0, 0}, {hear, create, 1, create}, {hear, remove, 2, remove},
		},
		"a removal is dropped": {
			{post, remove, 0, 0}, {hear, remove, 1, 0}, {hear, create, 2, create},
		},
	} {
		t.Run(title, func(t *testing.T) {
			var e echoes
			for i, a := range acts {
				now := start.Add(a.at)
				if a.who == post {
					e.posted("x", a.op, now)
				} else if got := e.reported("x", a.op, now); got != a.want {
					t.Fatalf("step %d: %v is news, want %v", i, got, a.want)
				}
			}
		})
	}
}

func TestEchoesOfOtherNames(t *testing.T) {
	var e echoes
	now := time.Unix(1000, 0)
	e.posted("a", create, now)
	if got := e.reported("b", create, now); got != create {
		t.Errorf("the report of another name was dropped")
	}
}

// What was heard may be forgotten when very many names are under way. Then nothing may be dropped: it could be news.
func TestEchoesForgotten(t *testing.T) {
	var e echoes
	now := time.Unix(1000, 0)
	e.reported("big", create, now)
	for i := range echoNames {
		e.reported(fmt.Sprint(i), create, now)
	}
	if len(e.marks) != echoNames {
		t.Errorf("%d names kept, want %d", len(e.marks), echoNames)
	}
	e.posted("big", create, now)
	if got := e.reported("big", create, now.Add(time.Millisecond)); got != create {
		t.Error("a change was taken for an echo although the memory has holes")
	}
	later := now.Add(echoDoubt + time.Second)
	e.posted("new", create, later)
	if got := e.reported("new", create, later); got != 0 {
		t.Error("echoes are not dropped any more after the doubt is over")
	}

	e.posted("old", create, later)
	e.missed(later)
	if got := e.reported("old", create, later); got != create {
		t.Error("a change was taken for an echo although reports were lost")
	}
}

func TestEchoesOfPostedNamesAreNoHoles(t *testing.T) {
	var e echoes
	now := time.Unix(1000, 0)
	for i := range 10 * echoNames {
		n := fmt.Sprint(i)
		e.reported(n, create, now)
		e.posted(n, create, now)
	}
	e.posted("x", create, now)
	if got := e.reported("x", create, now); got != 0 {
		t.Error("echoes are not dropped in a long copy")
	}
	if len(e.marks) > echoNames {
		t.Errorf("%d names kept", len(e.marks))
	}
}
