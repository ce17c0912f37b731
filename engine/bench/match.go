package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// A match is the comparison of some programs on one set and one kind of file system.
type match struct {
	set      set
	fs, work string
	rivals   []rival
	rounds   int // counted ones
	tell     func(round int)
}

// newMatch leaves out who cannot copy the set.
func newMatch(s set, fs, work string, o options) *match {
	m := &match{set: s, fs: fs, work: work, rounds: o.rounds, tell: func(int) {}}
	m.rivals = slices.DeleteFunc(slices.Clone(o.rivals), func(r rival) bool { return !r.takes(s) })
	if s.most > 0 {
		m.rounds = min(m.rounds, s.most)
	}
	return m
}

// room is what the match needs of a file system.
func (m *match) room() room {
	n := len(m.rivals)
	need := room{bytes: m.set.room(n), inodes: m.set.inodes(n)}
	if m.fs == "btrfs" && m.set.fresh == perMatch {
		need.bytes += m.set.bytes // it gives back what was deleted with a delay
	}
	return need
}

// lack says why the match cannot take place here: memory or room that is missing.
func (m *match) lack() string { return m.room().lack(m.fs, m.work) }

// state is the home of the programs measured, so that they leave nothing in the user's.
func (m *match) state() string { return filepath.Join(m.work, "state") }

// play returns the measurements of every rival, one a round, in the order of the rounds. A round before them is not
// counted; but where every run has a file system of its own the first one is as good as any.
func (m *match) play(ctx context.Context) (series map[string][]measurement, err error) {
	series = map[string][]measurement{}
	var g *ground
	free := func() error {
		if g == nil {
			return nil
		}
		done := g
		g = nil
		return done.free()
	}
	defer func() { err = errors.Join(err, free()) }()
	first := 0
	if m.set.fresh == perRun {
		first = 1
	}
	for i := first; i <= m.rounds; i++ {
		m.tell(i)
		for _, k := range turns(len(m.rivals), i) {
			r := m.rivals[k]
			if g == nil {
				if g, err = m.prepare(ctx); err != nil {
					return nil, err
				}
			}
			got, err := m.run(ctx, g, r, fmt.Sprintf("%d-%s", i, r.name), i == first)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				series[r.name] = append(series[r.name], got)
			}
			if m.set.fresh == perRun {
				if err := free(); err != nil {
					return nil, err
				}
			}
		}
		if m.set.fresh == perRound {
			if err := free(); err != nil {
				return nil, err
			}
		}
	}
	return series, nil
}

// turns is the order of n programs in a round: any, and in the next round the reverse. So every program comes early as often
// as late, and behind each of the others now and then: some leave behind a memory or a disk that is slower.
func turns(n, round int) []int {
	order := rand.New(rand.NewPCG(uint64(round/2), 0)).Perm(n)
	if round%2 == 1 {
		slices.Reverse(order)
	}
	return order
}

// prepare makes a ground with the set on it.
func (m *match) prepare(ctx context.Context) (*ground, error) {
	g, err := newGround(ctx, m.fs, m.work, m.room())
	if err != nil {
		return nil, err
	}
	src := g.path(m.set.name)
	if err := os.Mkdir(src, 0o755); err != nil {
		return g, err
	}
	if err := m.set.write(src); err != nil {
		return g, fmt.Errorf("make the set: %w", err)
	}
	return g, nil
}

// run lets one rival copy into a folder of that name, and compares the copy with the source if it is to be checked.
func (m *match) run(ctx context.Context, g *ground, r rival, name string, check bool) (measurement, error) {
	src, dst := g.path(m.set.name), g.path(name)
	sources, err := m.set.sources(src)
	if err != nil {
		return measurement{}, err
	}
	if err := os.Mkdir(dst, 0o755); err != nil {
		return measurement{}, err
	}
	if err := g.flush(ctx); err != nil {
		return measurement{}, err
	}
	if err := warm(src); err != nil {
		return measurement{}, err
	}
	got, err := measure(ctx, r, sources, dst, m.state())
	if err != nil {
		return got, fmt.Errorf("%s: %w", r.name, err)
	}
	if check {
		k := r.keeps
		if m.set.single {
			k.folders = 0 // there is none to copy
		}
		if err := sameTree(src, m.set.copyOf(dst), k); err != nil {
			return got, fmt.Errorf("%s made a copy that differs: %w", r.name, err)
		}
	}
	if m.set.fresh == perMatch {
		err = os.RemoveAll(dst)
	}
	return got, err
}
