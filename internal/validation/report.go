package validation

import (
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// intro is the beginning of the page.
const intro = `# How far lbsim agrees with theory

Written by %s: do not edit.

| values | |
| ---: | --- |
| %d | compared, in %d experiments |
| %d | hold |
| %d | **fail** |
| %d | not compared, because no affordable run is long enough: listed at the end |
| %d | without an experiment: listed at the end |

Each experiment is a system for which theory knows the exact value, or for which another simulator
has estimated it. It has %d replications: independent runs whose seeds derive from %d. They give
a confidence interval for each metric, and the value must lie in it.

- **Chance.** A correct simulator fails any of the %d rows with a chance of %g %% at most:
  each with %.2g (Bonferroni).
- **Means** have a t interval over the replications: with %d degrees of freedom %.2f standard
  errors to either side (z would be %.2f).
- **Quantiles**: the share of latencies up to the exact quantile has such an interval, q ± h, and
  the quantile lies between the recorded ones of q - h and q + h.
- **Independent failures of RPCs** are a binomial count, whose interval is exact (Clopper and
  Pearson), however rare the failures are.
- **Values that another simulator has estimated** have a t interval of the same confidence over its
  own runs, after ±. The two intervals must overlap.
- **Tolerances** beyond the interval are: the 0.1 %% by which the histogram of latencies may round
  up a quantile, the nanosecond in which latencies are measured, and the tenth digit to which the
  table is rounded.
- **Length.** The number of RPCs that a replication measures follows from load and service time: its
  mean latency shall have a standard deviation of about %g %% (Whitt 1989); the least is %d. The
  warm-up has a tenth as many, or five relaxation times of the system if that is more.
- **What is compared** is decided before any run, from the value and the length alone. A metric must
  have a variance and rest on at least %d nearly independent RPCs: then the skewness of a count at
  most doubles one tail of its interval. Where that takes more RPCs the experiment has more, up to
  %.2g with all replications.

T is the latency, W the wait (by Little's law), N the number of requests there, loss the
share of requests that is refused; all times are in units of the mean service time, 10 ms.
`

// WriteMarkdown writes the suite, after its run, as a page. The page is the same on every machine.
func (s *Suite) WriteMarkdown(w io.Writer) error {
	p := &page{}
	rows, failed := s.Count()
	command := "lbsim validate"
	if s.Quick {
		command += " -quick"
	}
	alpha := s.RowError()
	p.linef(intro, "`"+command+"`", rows, len(s.Experiments), rows-failed, failed, len(s.LeftOut),
		NotExpressible(), Replications, baseSeed, rows, 100*FamilyError, alpha, Replications-1,
		quantile(alpha, Replications), distuv.UnitNormal.Quantile(1-alpha/2), 100*scatters,
		fewest, leastSeen, s.most())
	for _, f := range families {
		p.family(s, f)
	}
	p.leftOut(s)
	p.notExpressible()
	p.linef("%s", others)
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
			p.linef("| system | metric | exact | estimate | interval | | seeds | events |")
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
		digits(r.Estimate), digits(r.Low), digits(r.High), verdict,
		e.Seed, e.Seed+Replications-1, float64(e.Events))
}

// leftOut lists the values that are not compared.
func (p *page) leftOut(s *Suite) {
	p.linef("## Not compared\n")
	p.linef("| system | metric | exact | because that |")
	p.linef("| --- | --- | --- | --- |")
	for _, l := range s.LeftOut {
		p.linef("| `%s`, %s | %s | %s | %s |", l.Experiment.Family, l.Experiment.Name(), l.Metric,
			digits(l.Exact), l.Why)
	}
	p.linef("")
}

// notExpressible lists the values for which lbsim can have no experiment.
func (p *page) notExpressible() {
	p.linef("## Without an experiment\n")
	p.linef("| what is known | values | why it has none |")
	p.linef("| --- | ---: | --- |")
	for _, n := range notExpressible {
		p.linef("| %s | %d | %s |", n.what, n.values, n.why)
	}
	p.linef("")
}

// Name returns the parameters and the label.
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
