package experiments

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lbsim/internal/nearest"
	"lbsim/models"
)

// precision is how tightly a figure shall be known of every policy: "p99 ± 2%", "mean ± 0.5ms",
// "skew ± 0.01".
type precision struct {
	text   string
	column string // of the figure
	// half is the most that half the width of its interval may be: a part of the mean if relative,
	// else in the unit of the figure.
	half     float64
	relative bool
}

// readPrecision reads a precision; "" is none.
func readPrecision(text string) (*precision, error) {
	if text == "" {
		return nil, nil
	}
	p := &precision{text: text}
	column, half, found := strings.Cut(text, "±")
	p.column, half = strings.TrimSpace(column), strings.TrimSpace(half)
	if !found {
		return nil, fmt.Errorf("must be a figure ± a part or a number, such as \"p99 ± 2%%\" "+
			"(is %q)", text)
	}
	figures := figuresOf(nil)
	var known []string
	for i := range figures {
		if figures[i].column != "" {
			known = append(known, figures[i].column)
		}
	}
	i := slices.IndexFunc(figures, func(f figure) bool { return f.column == p.column })
	if i < 0 || p.column == "" {
		return nil, fmt.Errorf("unknown figure %q%s", p.column, nearest.Hint(p.column, known))
	}
	number, relative := strings.CutSuffix(half, "%")
	p.relative = relative
	var err error
	if figures[i].latency() && !relative {
		var d models.Duration
		err = d.UnmarshalText([]byte(half))
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

// met says whether a policy's figure is known that tightly; hopeless that no seeds would help.
func (p *precision) met(runs []*Measures) (met, hopeless bool) {
	figures := figuresOf(nil)
	i := slices.IndexFunc(figures, func(f figure) bool { return f.column == p.column })
	f := figures[i].over(runs)
	if f.Half == nil {
		return false, f.Mean == nil
	}
	most := p.half
	if p.relative {
		most *= math.Abs(*f.Mean)
	}
	return *f.Half <= most, false
}

// refine adds runs at the points where the figure of some policy is not yet known tightly enough,
// half as many again, the same seeds for all policies, and says whether there are any. What it adds
// depends on the results of whole rounds alone, so not on how many runs there are at a time.
func (e *Experiment) refine(runs []*Measures) bool {
	before := len(e.Variants)
	for first := 0; first < before; {
		pt := e.Variants[first].point
		if !slices.ContainsFunc(e.Variants[:first], func(v Variant) bool { return v.point == pt }) {
			e.refinePoint(&e.Variants[first], runs)
		}
		for first < before && e.Variants[first].point == pt {
			first++
		}
	}
	return len(e.Variants) > before
}

func (e *Experiment) refinePoint(v *Variant, runs []*Measures) {
	n, tight := 0, true
	for _, policy := range e.Policies {
		var of []*Measures
		had := 0
		for i := range e.Variants {
			if e.Variants[i].point == v.point && e.Variants[i].Policy == policy {
				had++
				if i < len(runs) && runs[i].failure == nil {
					of = append(of, runs[i])
				}
			}
		}
		met, hopeless := e.precision.met(of)
		if hopeless {
			return
		}
		n, tight = max(n, had), tight && met
	}
	until := min(e.base.top.MaxSeeds, n+max(1, n/2))
	if tight || until <= n {
		return
	}
	for len(e.Seeds) < until {
		e.Seeds = append(e.Seeds, e.base.top.Seed+uint64(len(e.Seeds)))
	}
	e.addVariants(v.point, v.Point, e.Seeds[n:until])
}

// judgePrecision says of each point whether the precision was reached, and warns where not.
func (s *Summary) judgePrecision() {
	if s.precision == nil {
		return
	}
	for _, p := range s.Points {
		precise, seeds := true, 0
		for i := range p.Policies {
			met, _ := s.precision.met(p.Policies[i].runs)
			precise = precise && met
			seeds = max(seeds, len(p.Policies[i].Seeds))
		}
		p.Precise = &precise
		at := ""
		for _, key := range s.SweepKeys {
			at += fmt.Sprintf(" at %s = %s", key, p.Point[key])
		}
		if !precise {
			s.warn(Imprecise, fmt.Sprintf("%s is not reached of every policy with %d seeds%s.",
				s.precision.text, seeds, at))
		}
	}
}
