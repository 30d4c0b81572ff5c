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

const (
	// maxCommon is how many of the latest equal events are kept for the history.
	maxCommon = 100_000
	// historyLength is how many events before the first difference are written.
	historyLength = 5
)

// divergence makes two runs side by side and finds the first event at which they differ: an RPC
// that began, was sent or ended, or a SubConn or channel that changed, at another moment, at
// another backend or with another result.
type divergence struct {
	w    io.Writer
	a, b tracedRun

	equal    uint64              // events so far that are equal
	common   []models.TraceEntry // the latest of these, at most maxCommon
	diverged bool                // the first difference was found and written
}

// Recorded is what a results folder holds of a run.
type Recorded struct {
	Digest  string // hexadecimal
	Version string // version of lbsim that made the run
}

// Contender is one of two runs that are compared.
type Contender struct {
	Name    string // file, results folder or name of the experiment
	Variant *Variant
	// Recorded is nil if no results folder holds the run.
	Recorded *Recorded
}

// WriteDivergence makes two runs side by side and writes the first event at which they differ.
func WriteDivergence(ctx context.Context, w io.Writer, first, second Contender) error {
	s := &divergence{w: w}
	s.a.Contender, s.b.Contender = first, second
	s.a.v, s.b.v = first.Variant, second.Variant
	return s.run(ctx)
}

// tracedRun is one of the two runs.
type tracedRun struct {
	Contender
	participants
	v     *Variant
	guard guard
	trace models.Trace
	over  bool
}

// start builds the world of the run, with a trace.
func (l *tracedRun) start() {
	l.participants = participantsOf(&l.v.Config)
	l.v.Config.Trace = &l.trace
	l.guard = guard{w: models.New(&l.v.Config)}
}

// advance continues the run until its trace has entries, or the run is over.
func (l *tracedRun) advance(ctx context.Context) (err error) {
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

func (s *divergence) run(ctx context.Context) error {
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
		for _, l := range []*tracedRun{&s.a, &s.b} {
			if err := l.advance(ctx); err != nil {
				return err
			}
		}
		if len(s.a.trace.Entries) == 0 && len(s.b.trace.Entries) == 0 {
			break
		}
		if !s.diverged {
			s.compare()
			continue
		}
		if s.a.Recorded == nil && s.b.Recorded == nil {
			return nil
		}
		// The runs continue to their ends, for the digests.
		s.a.trace.Entries, s.b.trace.Entries = s.a.trace.Entries[:0], s.b.trace.Entries[:0]
	}
	s.conclude()
	return nil
}

// compare compares the traces up to the first difference and drops the equal entries.
func (s *divergence) compare() {
	a, b := s.a.trace.Entries, s.b.trace.Entries
	n := 0
	for n < min(len(a), len(b)) && s.equalEvents(a[n], b[n]) {
		n++
	}
	s.equal += uint64(n)
	s.common = append(s.common, a[:n]...)
	s.common = slices.Delete(s.common, 0, max(0, len(s.common)-maxCommon))
	if n < min(len(a), len(b)) || n == len(a) && s.a.over || n == len(b) && s.b.over {
		s.reportFirst(a[n:], b[n:])
	}
	s.a.trace.Entries = append(a[:0], a[n:]...)
	s.b.trace.Entries = append(b[:0], b[n:]...)
}

// equalEvents reports whether two events are equal, with clients and backends by name.
func (s *divergence) equalEvents(a, b models.TraceEntry) bool {
	return a.At == b.At && a.What == b.What && a.RPC == b.RPC && a.State == b.State &&
		a.Code == b.Code && a.Reason == b.Reason &&
		s.a.clients[a.Client] == s.b.clients[b.Client] && s.a.backendName(a) == s.b.backendName(b)
}

// reportFirst writes the first events that differ, with their history. A run that is over has none.
func (s *divergence) reportFirst(a, b []models.TraceEntry) {
	if len(a) == 0 && len(b) == 0 {
		return
	}
	s.diverged = true
	fmt.Fprintf(s.w, "they part after %d equal events.\n", s.equal)
	for _, e := range s.commonHistory(a, b) {
		fmt.Fprintf(s.w, "  both    %s\n", s.a.describe(e))
	}
	for _, l := range []struct {
		what string
		of   *tracedRun
		next []models.TraceEntry
	}{{"first", &s.a, a}, {"second", &s.b, b}} {
		line := "nothing more"
		if len(l.next) > 0 {
			line = l.of.describe(l.next[0])
		}
		fmt.Fprintf(s.w, "  %-7s %s\n", l.what, line)
	}
}

// commonHistory returns the latest equal events of the clients whose events differ.
func (s *divergence) commonHistory(a, b []models.TraceEntry) []models.TraceEntry {
	var clients []string
	if len(a) > 0 {
		clients = append(clients, s.a.clients[a[0].Client])
	}
	if len(b) > 0 {
		clients = append(clients, s.b.clients[b[0].Client])
	}
	var last []models.TraceEntry
	for i := len(s.common) - 1; i >= 0 && len(last) < historyLength; i-- {
		if slices.Contains(clients, s.a.clients[s.common[i].Client]) {
			last = append(last, s.common[i])
		}
	}
	slices.Reverse(last)
	return last
}

// conclude writes whether the runs were equal, and whether they repeat those of the folders.
func (s *divergence) conclude() {
	a, b := s.a.guard.w.Finish(), s.b.guard.w.Finish()
	switch {
	case s.diverged:
	case a.Digest == b.Digest:
		fmt.Fprintf(s.w, "they are equal, in all of %d events.\n", a.Events)
	default:
		fmt.Fprintf(s.w, "what clients see is equal, in all of %d events, but not what happens "+
			"inside (digests %016x and %016x).\n", s.equal, a.Digest, b.Digest)
	}
	for _, l := range []struct {
		of     *tracedRun
		digest uint64
	}{{&s.a, a.Digest}, {&s.b, b.Digest}} {
		if k := l.of.Recorded; k != nil && k.Digest != fmt.Sprintf("%016x", l.digest) {
			fmt.Fprintf(s.w, "  %s keeps another run than this lbsim %s makes of its config: it "+
				"comes from lbsim %s.\n", l.of.Name, version.String(), k.Version)
		}
	}
}
