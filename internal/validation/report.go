package validation

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// intro is how the page begins.
const intro = `# How far lbsim agrees with theory

Written by %s: do not edit.

**%d of %d values hold**, in %d experiments.

Each experiment is a system of which theory knows the answer exactly, or of which another
simulator has estimated it. It has %d replications with seeds of their own. As far as their
figures scatter normally, the mean over them has a t distribution with %d degrees of freedom.
The interval reaches %.2f standard errors to either side: so the chance that a simulator
which is right fails any of the %d rows is at most %g %% (Bonferroni). No tolerance is added
but the 0.1 %% by which the histogram of latencies may round up a quantile. How many RPCs a
replication has is set beforehand by load and service time: its mean latency is to have a
standard deviation of about %g %% (Whitt 1989), and %d RPCs are the least. A tenth more is
warm-up, which is not measured.

T is the latency, W the wait (by Little's law), N the number of requests there, loss the
share that finds no room; all times are in mean service times of 10 ms. ± behind an exact
value is how far that is known, where it was estimated, with the same confidence.
`

// WriteMarkdown writes the suite, once it has run, as a page. That is the same on every machine.
func (s *Suite) WriteMarkdown(w io.Writer) error {
	p := &page{}
	rows, failed := s.Count()
	command := "lbsim validate"
	if s.Quick {
		command += " -quick"
	}
	p.linef(intro, "`"+command+"`", rows-failed, rows, len(s.Experiments), Replications,
		Replications-1, s.Quantile(), rows, 100*FamilyError, 100*s.spread, fewest)
	for _, f := range families {
		p.family(s, f)
	}
	p.linef("## What is left out\n")
	p.linef("| known | not compared, because |")
	p.linef("| --- | --- |")
	for _, l := range leftOut {
		p.linef("| %s | %s |", l.what, l.why)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

type page struct{ strings.Builder }

func (p *page) linef(format string, values ...any) { fmt.Fprintf(p, format+"\n", values...) }

// family writes the experiments of a family.
func (p *page) family(s *Suite, f family) {
	begun := false
	for i := range s.Experiments {
		e := &s.Experiments[i]
		if e.Family != f.name {
			continue
		}
		if !begun {
			begun = true
			p.linef("## %s\n", f.title)
			p.linef("%s. Family `%s`.\n", f.source, f.name)
			p.linef("| system | figure | exact | estimate | interval | | seeds | events |")
			p.linef("| --- | --- | --- | --- | --- | --- | --- | --- |")
		}
		for _, r := range e.Rows {
			p.row(e, &r)
		}
	}
	if begun {
		p.linef("")
	}
}

func (p *page) row(e *Experiment, r *Row) {
	exact := digits(r.Exact)
	if r.Known > 0 {
		exact += " ± " + fmt.Sprintf("%.2g", r.Known)
	}
	verdict := "holds"
	if !r.Holds {
		verdict = "**FAILS**"
	}
	p.linef("| %s | %s | %s | %s | %s to %s | %s | %d–%d | %.3g |", e.Name(), r.Metric, exact,
		digits(r.Estimate), digits(r.Estimate-r.Half), digits(r.Estimate+r.Half), verdict,
		e.Seed, e.Seed+Replications-1, float64(e.Events))
}

// Name is the parameters and the label.
func (e *Experiment) Name() string {
	name := strings.ReplaceAll(e.Parameters, ";", "; ")
	if e.Label != "" {
		name += "; " + e.Label
	}
	return strings.ReplaceAll(name, ";  ", "; ")
}

// digits writes a number with five digits, and no zero as -0 nor rounding noise as a number.
func digits(x float64) string {
	if math.Abs(x) < 1e-12 {
		return "0"
	}
	return fmt.Sprintf("%.5g", x)
}
