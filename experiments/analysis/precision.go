package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"lbsim/internal/nearest"
	"lbsim/options"
)

// Precision is the half-width of the confidence interval of a metric that every policy shall reach:
// "p99 ± 2%", "mean ± 0.5ms", "skew ± 0.01". The sign may be written as +- or +/-.
type Precision struct {
	Text   string // as in the file
	metric Metric
	// half is the greatest half-width: a part of the mean if relative, else in the unit of the
	// metric.
	half     float64
	relative bool
}

// ParsePrecision reads a precision; "" is none.
func ParsePrecision(text string) (*Precision, error) {
	if text == "" {
		return nil, nil
	}
	signs := strings.NewReplacer("+/-", "±", "+-", "±")
	column, half, found := strings.Cut(signs.Replace(text), "±")
	column, half = strings.TrimSpace(column), strings.TrimSpace(half)
	if !found {
		return nil, fmt.Errorf("must be a metric ± a part or a number, such as \"p99 ± 2%%\" "+
			"(is %q)", text)
	}
	metrics := Metrics(nil)
	var known []string
	for i := range metrics {
		if metrics[i].Column != "" {
			known = append(known, metrics[i].Column)
		}
	}
	i := slices.IndexFunc(metrics, func(m Metric) bool { return m.Column == column })
	if i < 0 || column == "" {
		return nil, fmt.Errorf("unknown metric %q%s", column, nearest.Hint(column, known))
	}
	number, relative := strings.CutSuffix(half, "%")
	p := &Precision{Text: text, metric: metrics[i], relative: relative}
	var err error
	if p.metric.Latency && !relative {
		var d time.Duration
		d, err = options.ParseDuration(half)
		p.half = float64(d) / 1e6
	} else if p.half, err = strconv.ParseFloat(number, 64); relative {
		p.half /= 100
	}
	if err != nil || !(p.half > 0) || math.IsInf(p.half, 0) {
		return nil, fmt.Errorf("%q is no width: write a part, such as 2%%, or a value above 0, "+
			"such as 5ms of a latency", half)
	}
	return p, nil
}

// Met reports whether the runs of a policy reach the precision; hopeless reports that no further
// seeds would help.
func (p *Precision) Met(runs []*Measures) (met, hopeless bool) {
	e := p.metric.Over(runs)
	if e.Half == nil {
		return false, e.Reason != "" && e.Reason != FarApart
	}
	return *e.Half <= p.maxHalf(&e), false
}

// maxHalf returns the greatest half-width for an estimate, in the unit of the metric.
func (p *Precision) maxHalf(e *Estimate) float64 {
	if p.relative {
		return p.half * math.Abs(*e.Mean)
	}
	return p.half
}

// shortfall describes how wide the interval of a policy is, and about how many seeds it would take.
func (p *Precision) shortfall(r *PolicyResults) string {
	e := p.metric.Over(r.Runs)
	switch {
	case e.Reason == NeverAnswered:
		return fmt.Sprintf("of %s it is %s, for RPCs that failed were never answered", r.Policy,
			p.metric.Format.Cell(&e))
	case e.Reason == FarApart:
		return fmt.Sprintf("of %s it is %s, which are too far apart for a mean", r.Policy,
			p.metric.Format.Cell(&e))
	case e.Mean == nil:
		return fmt.Sprintf("of %s it has no value in %d of %d runs", r.Policy, len(r.Runs)-e.Runs,
			len(r.Runs))
	case e.Half == nil:
		return fmt.Sprintf("of %s there is one run", r.Policy)
	case p.maxHalf(&e) == 0:
		return fmt.Sprintf("of %s it is 0, of which there is no part", r.Policy)
	}
	wider := *e.Half / p.maxHalf(&e)
	return fmt.Sprintf("of %s it is %s, which takes some %.0f seeds", r.Policy,
		p.metric.Format.Cell(&e), math.Ceil(float64(e.Runs)*wider*wider))
}

// judgePrecision sets Precise at each point, and warns where the precision was not reached.
func judgePrecision(s *Summary) {
	if s.Target == nil {
		return
	}
	for _, p := range s.Points {
		precise, seeds := true, 0
		var short []string
		for i := range p.Policies {
			r := &p.Policies[i]
			if met, _ := s.Target.Met(r.Runs); !met {
				precise = false
				short = append(short, s.Target.shortfall(r))
			}
			seeds = max(seeds, len(r.Seeds))
		}
		p.Precise = &precise
		at := ""
		for _, key := range s.SweepKeys {
			at += fmt.Sprintf(" at %s = %s", key, p.Point[key])
		}
		if !precise {
			s.warn(Imprecise, fmt.Sprintf("%s is not reached with %d seeds%s: %s.",
				s.Target.Text, seeds, at, strings.Join(short, "; ")))
		}
	}
}
