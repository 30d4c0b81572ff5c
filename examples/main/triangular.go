package main

import (
	"math"
	"time"

	"lbsim/models/dist"
)

// Triangular is the distribution whose density rises from min to mode and falls to max.
type Triangular struct {
	min, mode, max float64 // ns
	text           string
}

var triangularKind = dist.Kind{
	Doc:   "from min to max, most often near mode",
	Forms: []string{"triangular(min=1ms, mode=2ms, max=9ms)"},
	Parse: parseTriangular,
}

func parseTriangular(c dist.Call) (dist.Distribution, error) {
	a, err := c.Args()
	if err != nil {
		return nil, err
	}
	t := Triangular{min: a.Duration("min"), mode: a.Duration("mode"), max: a.Duration("max")}
	a.Rising("min", "mode")
	a.Rising("mode", "max")
	t.text = a.String()
	return t, a.Err()
}

// Quantile is the inverse of the distribution function.
func (t Triangular) Quantile(u float64) time.Duration {
	width, left := t.max-t.min, t.mode-t.min
	if u < left/width {
		return dist.Round(t.min + math.Sqrt(u*width*left))
	}
	return dist.Round(t.max - math.Sqrt((1-u)*width*(t.max-t.mode)))
}

// Mean is in seconds.
func (t Triangular) Mean() float64 { return (t.min + t.mode + t.max) / 3 / 1e9 }

// Variance is in seconds².
func (t Triangular) Variance() float64 {
	width, left := t.max-t.min, t.mode-t.min
	return (float64(width*width) - float64(left*(t.max-t.mode))) / 18 / 1e18
}

func (t Triangular) String() string { return t.text }
