package dist

import "time"

// Uniform is the distribution under which every duration from min to max is equally likely.
type Uniform struct {
	min, max float64 // ns, min < max
	text     string
}

var uniformKind = Kind{
	Doc:   "anything from min to max, equally likely",
	Forms: []string{"uniform(min=1ms, max=3ms)"},
	Parse: parseUniform,
}

func parseUniform(c Call) (Distribution, error) {
	a, err := c.Args()
	if err != nil {
		return nil, err
	}
	u := Uniform{min: a.Duration("min"), max: a.PositiveDuration("max")}
	a.Rising("min", "max")
	u.text = a.String()
	return u, a.Err()
}

// Quantile divides the stretch from min to max in the ratio u : 1-u.
func (d Uniform) Quantile(u float64) time.Duration {
	return Round(d.min + float64(u*(d.max-d.min)))
}

// Mean is the middle, in seconds.
func (d Uniform) Mean() float64 { return (d.min + d.max) / 2 / second }

// Variance is a twelfth of the squared width, in seconds².
func (d Uniform) Variance() float64 {
	w := d.max - d.min
	return w * w / 12 / second2
}

func (d Uniform) String() string { return d.text }
