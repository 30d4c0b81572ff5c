package dist

import "time"

// Constant is the distribution of a duration that is always the same, 0 included.
type Constant time.Duration

var constantKind = Kind{
	Doc:   "always the same; may be written as the bare duration",
	Forms: []string{"constant(10ms)"},
	Parse: parseConstant,
}

func parseConstant(c Call) (Distribution, error) {
	d, err := parseDuration(c.Inner)
	if err != nil {
		return nil, c.Errorf("%w", err)
	}
	return Constant(d), nil
}

// Quantile returns the same duration for every u.
func (c Constant) Quantile(float64) time.Duration { return time.Duration(c) }

// Mean is the duration itself, in seconds.
func (c Constant) Mean() float64 { return float64(c) / second }

// Variance is 0.
func (c Constant) Variance() float64 { return 0 }

func (c Constant) String() string { return "constant(" + durationText(time.Duration(c)) + ")" }
