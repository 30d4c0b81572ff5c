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
	d := &divergence{w: w}
	d.a.Contender, d.b.Contender = first, second
	return d.run(ctx)
}

// tracedRun is one of the two runs.
type tracedRun struct {
	Contender
	participants
	guard guard
	trace models.Trace
	over  bool
}

// start builds the world of the run, with a trace.
func (r *tracedRun) start() {
	r.participants = participantsOf(&r.Variant.Config)
	r.Variant.Config.Trace = &r.trace
	r.guard = guard{w: models.New(&r.Variant.Config)}
}

// advance continues the run until its trace has entries, or the run is over.
func (r *tracedRun) advance(ctx context.Context) (err error) {
	for !r.over && len(r.trace.Entries) == 0 && err == nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if r.over, err = r.guard.run(); err != nil {
			v := r.Variant
			err = fmt.Errorf("%s: %w", analysis.RunLabel(v.Policy, v.Seed, v.PointValues()), err)
		}
	}
	return err
}

func (d *divergence) run(ctx context.Context) error {
	d.a.start()
	d.b.start()
	fmt.Fprintf(d.w, "\n%s", d.a.Variant.Policy)
	if d.b.Variant.Policy != d.a.Variant.Policy {
		fmt.Fprintf(d.w, " and %s", d.b.Variant.Policy)
	}
	for i, key := range d.a.Variant.keys {
		fmt.Fprintf(d.w, ", %s = %s", key, d.a.Variant.Point[i])
	}
	fmt.Fprintf(d.w, ", seed %d: ", d.a.Variant.Seed)
	for {
		for _, r := range []*tracedRun{&d.a, &d.b} {
			if err := r.advance(ctx); err != nil {
				return err
			}
		}
		if len(d.a.trace.Entries) == 0 && len(d.b.trace.Entries) == 0 {
			break
		}
		if !d.diverged {
			d.compare()
			continue
		}
		if d.a.Recorded == nil && d.b.Recorded == nil {
			return nil
		}
		// The runs continue to their ends, for the digests.
		d.a.trace.Entries, d.b.trace.Entries = d.a.trace.Entries[:0], d.b.trace.Entries[:0]
	}
	d.conclude()
	return nil
}

// compare compares the traces up to the first difference and drops the equal entries.
func (d *divergence) compare() {
	a, b := d.a.trace.Entries, d.b.trace.Entries
	n := 0
	for n < min(len(a), len(b)) && d.equalEvents(a[n], b[n]) {
		n++
	}
	d.equal += uint64(n)
	d.common = append(d.common, a[:n]...)
	d.common = slices.Delete(d.common, 0, max(0, len(d.common)-maxCommon))
	if n < min(len(a), len(b)) || n == len(a) && d.a.over || n == len(b) && d.b.over {
		d.reportFirst(a[n:], b[n:])
	}
	d.a.trace.Entries = append(a[:0], a[n:]...)
	d.b.trace.Entries = append(b[:0], b[n:]...)
}

// equalEvents reports whether two events are equal, with clients and backends by name.
func (d *divergence) equalEvents(a, b models.TraceEntry) bool {
	return a.At == b.At && a.What == b.What && a.RPC == b.RPC && a.State == b.State &&
		a.Code == b.Code && a.Reason == b.Reason &&
		d.a.clients[a.Client] == d.b.clients[b.Client] && d.a.backendName(a) == d.b.backendName(b)
}

// reportFirst writes the first events that differ, with their history. A run that is over has none.
func (d *divergence) reportFirst(a, b []models.TraceEntry) {
	if len(a) == 0 && len(b) == 0 {
		return
	}
	d.diverged = true
	fmt.Fprintf(d.w, "they part after %d equal events.\n", d.equal)
	for _, e := range d.commonHistory(a, b) {
		fmt.Fprintf(d.w, "  both    %s\n", d.a.describe(e))
	}
	for _, l := range []struct {
		what string
		of   *tracedRun
		next []models.TraceEntry
	}{{"first", &d.a, a}, {"second", &d.b, b}} {
		line := "nothing more"
		if len(l.next) > 0 {
			line = l.of.describe(l.next[0])
		}
		fmt.Fprintf(d.w, "  %-7s %s\n", l.what, line)
	}
}

// commonHistory returns the latest equal events of the clients whose events differ.
func (d *divergence) commonHistory(a, b []models.TraceEntry) []models.TraceEntry {
	var clients []string
	if len(a) > 0 {
		clients = append(clients, d.a.clients[a[0].Client])
	}
	if len(b) > 0 {
		clients = append(clients, d.b.clients[b[0].Client])
	}
	var last []models.TraceEntry
	for i := len(d.common) - 1; i >= 0 && len(last) < historyLength; i-- {
		if slices.Contains(clients, d.a.clients[d.common[i].Client]) {
			last = append(last, d.common[i])
		}
	}
	slices.Reverse(last)
	return last
}

// conclude writes whether the runs were equal, and whether they repeat those of the folders.
func (d *divergence) conclude() {
	a, b := d.a.guard.w.Finish(), d.b.guard.w.Finish()
	switch {
	case d.diverged:
	case a.Digest == b.Digest:
		fmt.Fprintf(d.w, "they are equal, in all of %d events.\n", a.Events)
	default:
		fmt.Fprintf(d.w, "what clients see is equal, in all of %d events, but not what happens "+
			"inside (digests %016x and %016x).\n", d.equal, a.Digest, b.Digest)
	}
	for _, r := range []struct {
		of     *tracedRun
		digest uint64
	}{{&d.a, a.Digest}, {&d.b, b.Digest}} {
		if k := r.of.Recorded; k != nil && k.Digest != fmt.Sprintf("%016x", r.digest) {
			fmt.Fprintf(d.w, "  %s keeps another run than this lbsim %s makes of its config: it "+
				"comes from lbsim %s.\n", r.of.Name, version.String(), k.Version)
		}
	}
}
