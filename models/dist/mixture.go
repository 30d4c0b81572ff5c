package dist

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Mixture is the distribution of a duration that is drawn from one of several distributions, each
// with its own probability, for instance 0.9 for a cache hit and 0.1 for a miss.
//
// Its Quantile is not monotone. Part i owns as long a piece of (0, 1) as its probability, in the
// order of the text; a u in that piece is stretched to (0, 1) and handed on. The result has exactly
// the distribution of the mixture and costs one comparison a part, where the monotone function
// would need a search. Where the fast parts come first it rises nearly everywhere.
type Mixture struct {
	parts []part
	text  string
}

// part owns the numbers from start to end.
type part struct {
	start, end, weight float64
	of                 Distribution
}

// The weights are probabilities, and a text in which they do not sum to 1 has a slip in it.
const maxWeightError = 1e-9

var mixtureKind = Kind{
	Aliases: []string{"mix"},
	Doc:     "one of several distributions, each with a weight; the weights sum to 1",
	Forms:   []string{"mixture(0.9 exponential(mean=5ms), 0.1 exponential(mean=80ms))"},
	Parse:   parseMixture,
}

func parseMixture(c Call) (Distribution, error) {
	m := &Mixture{}
	var texts []string
	sum := 0.0
	for i, text := range c.Parts() {
		p, err := parsePart(c, text)
		if err != nil {
			return nil, c.Errorf("part %d: %w", i+1, err)
		}
		p.start = sum
		sum += p.weight
		p.end = sum
		m.parts = append(m.parts, p)
		texts = append(texts, numberText(p.weight)+" "+p.of.String())
	}
	if math.Abs(sum-1) > maxWeightError {
		return nil, c.Errorf("the weights sum to %s, not 1", numberText(sum))
	}
	m.text = c.Kind + "(" + strings.Join(texts, ", ") + ")"
	return m, nil
}

// parsePart reads a weight, a space and a distribution.
func parsePart(c Call, text string) (part, error) {
	text = strings.TrimSpace(text)
	weight, rest := text, ""
	if i := strings.IndexFunc(text, unicode.IsSpace); i > 0 {
		weight, rest = text[:i], text[i:]
	}
	w, err := strconv.ParseFloat(weight, 64)
	switch {
	case weight == "":
		return part{}, errors.New("missing (write a weight and a distribution, e.g. 0.9 10ms)")
	case err != nil:
		return part{}, fmt.Errorf("%s is not a weight (write e.g. 0.9 10ms)", quote(weight))
	case !(w > 0 && w <= 1+maxWeightError):
		return part{}, fmt.Errorf("a weight must be greater than 0 and at most 1 (is %s)", weight)
	case rest == "":
		return part{}, fmt.Errorf("no distribution after the weight %s", weight)
	}
	d, err := c.Nested(rest)
	return part{weight: w, of: d}, err
}

// Quantile hands u, stretched, to the part that owns it.
func (m *Mixture) Quantile(u float64) time.Duration {
	p := &m.parts[len(m.parts)-1]
	for i := range m.parts {
		if u < m.parts[i].end {
			p = &m.parts[i]
			break
		}
	}
	// u is a multiple of 2^-53 more or less, so at the ends of a piece v may touch 0 or 1.
	v := (u - p.start) / p.weight
	return p.of.Quantile(min(max(v, 0x1p-54), 1-0x1p-53))
}

// Mean is the weighted mean of the parts' means, in seconds.
func (m *Mixture) Mean() float64 {
	sum := 0.0
	for _, p := range m.parts {
		sum += float64(p.weight * p.of.Mean())
	}
	return sum
}

// Variance is the weighted mean of the parts' variances and squared distances from the common
// mean, in seconds².
func (m *Mixture) Variance() float64 {
	mean := m.Mean()
	if math.IsInf(mean, 1) {
		return mean
	}
	sum := 0.0
	for _, p := range m.parts {
		sum += float64(p.weight * (p.of.Variance() + float64(square(p.of.Mean()-mean))))
	}
	return sum
}

func (m *Mixture) String() string { return m.text }
