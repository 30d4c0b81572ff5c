package runner

import (
	"context"
	"fmt"
	"io"
	"slices"

	"lbsim/experiments/analysis"
	"lbsim/internal/version"
	"lbsim/models"
)

// Events that both runs have are kept, to tell what came before they part.
const (
	mostKept = 100_000
	before   = 5 // are told, of the client or clients at which they part
)

// lockstep makes two runs side by side, for the first event at which they part: an RPC that began,
// was sent or ended, or a connection or channel that changed, at another moment, elsewhere or
// otherwise.
type lockstep struct {
	w    io.Writer
	a, b lane

	equal  uint64
	common []models.TraceEntry // the last ones that were equal
	parted bool
}

// Recorded is what a results folder has of a run.
type Recorded struct {
	Digest  string // hexadecimal
	Version string // of the lbsim that made the run
}

// Contender is a run to be made beside another.
type Contender struct {
	Name    string // of its experiment, a file or a results folder
	Variant *Variant
	// Recorded is nil where no results folder has the run.
	Recorded *Recorded
}

// WriteDivergence makes two runs side by side and writes the first event at which they part.
func WriteDivergence(ctx context.Context, w io.Writer, first, second Contender) error {
	s := &lockstep{w: w}
	s.a.Contender, s.b.Contender = first, second
	s.a.v, s.b.v = first.Variant, second.Variant
	return s.run(ctx)
}

// lane is one of the two runs.
type lane struct {
	Contender
	cast
	v     *Variant
	guard guard
	trace models.Trace
	over  bool
}

func (l *lane) start() {
	l.cast = newCast(&l.v.Config)
	l.v.Config.Trace = &l.trace
	l.guard = guard{w: models.New(&l.v.Config)}
}

// more goes on until there is something to compare, or the run is over.
func (l *lane) more(ctx context.Context) (err error) {
	for !l.over && len(l.trace.Entries) == 0 && err == nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if l.over, err = l.guard.run(); err != nil {
			err = fmt.Errorf("%s: %w", analysis.RunLabel(l.v.Policy, l.v.Seed, l.v.PointValues()),
				err)
		}
	}
	return err
}

func (s *lockstep) run(ctx context.Context) error {
	s.a.start()
	s.b.start()
	fmt.Fprintf(s.w, "\n%s", s.a.v.Policy)
	if s.b.v.Policy != s.a.v.Policy {
		fmt.Fprintf(s.w, " and %s", s.b.v.Policy)
	}
	for i, key := range s.a.v.keys {
		fmt.Fprintf(s.w, ", %s = %s", key, s.a.v.Point[i])
	}
	fmt.Fprintf(s.w, ", seed %d: ", s.a.v.Seed)
	for {
		for _, l := range []*lane{&s.a, &s.b} {
			if err := l.more(ctx); err != nil {
				return err
			}
		}
		if len(s.a.trace.Entries) == 0 && len(s.b.trace.Entries) == 0 {
			break
		}
		if !s.parted {
			s.compare()
			continue
		}
		if s.a.Recorded == nil && s.b.Recorded == nil {
			return nil
		}
		// On to their ends, for the digests.
		s.a.trace.Entries, s.b.trace.Entries = s.a.trace.Entries[:0], s.b.trace.Entries[:0]
	}
	s.conclude()
	return nil
}

// compare goes through what both runs have told, as far as it is equal.
func (s *lockstep) compare() {
	a, b := s.a.trace.Entries, s.b.trace.Entries
	n := 0
	for n < min(len(a), len(b)) && s.same(a[n], b[n]) {
		n++
	}
	s.equal += uint64(n)
	s.common = append(s.common, a[:n]...)
	s.common = slices.Delete(s.common, 0, max(0, len(s.common)-mostKept))
	if n < min(len(a), len(b)) || n == len(a) && s.a.over || n == len(b) && s.b.over {
		s.part(a[n:], b[n:])
	}
	s.a.trace.Entries = append(a[:0], a[n:]...)
	s.b.trace.Entries = append(b[:0], b[n:]...)
}

// same says whether two events are, by the names of who takes part.
func (s *lockstep) same(a, b models.TraceEntry) bool {
	return a.At == b.At && a.What == b.What && a.RPC == b.RPC && a.State == b.State &&
		a.Code == b.Code && a.Reason == b.Reason &&
		s.a.clients[a.Client] == s.b.clients[b.Client] && s.a.backend(a) == s.b.backend(b)
}

// part tells of the first events that are not equal, of which a run that is over has none.
func (s *lockstep) part(a, b []models.TraceEntry) {
	if len(a) == 0 && len(b) == 0 {
		return
	}
	s.parted = true
	fmt.Fprintf(s.w, "they part after %d equal events.\n", s.equal)
	for _, e := range s.history(a, b) {
		fmt.Fprintf(s.w, "  both    %s\n", s.a.line(e))
	}
	for _, l := range []struct {
		what string
		of   *lane
		next []models.TraceEntry
	}{{"first", &s.a, a}, {"second", &s.b, b}} {
		line := "nothing more"
		if len(l.next) > 0 {
			line = l.of.line(l.next[0])
		}
		fmt.Fprintf(s.w, "  %-7s %s\n", l.what, line)
	}
}

// history returns the last events that both runs have of the clients at which they part.
func (s *lockstep) history(a, b []models.TraceEntry) []models.TraceEntry {
	var clients []string
	if len(a) > 0 {
		clients = append(clients, s.a.clients[a[0].Client])
	}
	if len(b) > 0 {
		clients = append(clients, s.b.clients[b[0].Client])
	}
	var last []models.TraceEntry
	for i := len(s.common) - 1; i >= 0 && len(last) < before; i-- {
		if slices.Contains(clients, s.a.clients[s.common[i].Client]) {
			last = append(last, s.common[i])
		}
	}
	slices.Reverse(last)
	return last
}

// conclude says whether the runs were equal, and whether they are those that the folders keep.
func (s *lockstep) conclude() {
	a, b := s.a.guard.w.Finish(), s.b.guard.w.Finish()
	switch {
	case s.parted:
	case a.Digest == b.Digest:
		fmt.Fprintf(s.w, "they are equal, in all of %d events.\n", a.Events)
	default:
		fmt.Fprintf(s.w, "what clients see is equal, in all of %d events, but not what happens "+
			"inside (digests %016x and %016x).\n", s.equal, a.Digest, b.Digest)
	}
	for _, l := range []struct {
		of     *lane
		digest uint64
	}{{&s.a, a.Digest}, {&s.b, b.Digest}} {
		if k := l.of.Recorded; k != nil && k.Digest != fmt.Sprintf("%016x", l.digest) {
			fmt.Fprintf(s.w, "  %s keeps another run than this lbsim %s makes of its config: it "+
				"comes from lbsim %s.\n", l.of.Name, version.String(), k.Version)
		}
	}
}
