package dist_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"lbsim/models/dist"
)

// delayed is what a kind from outside may be: a distribution inside another.
type delayed struct {
	dist.Distribution
	by   time.Duration
	text string
}

func (d delayed) Quantile(u float64) time.Duration { return d.by + d.Distribution.Quantile(u) }
func (d delayed) String() string                   { return d.text }

var delayedKind = dist.Kind{
	Aliases: []string{"late"},
	Forms:   []string{"delayed(10ms, exponential(mean=10ms))"},
	Doc:     "a distribution after a fixed time",
	Parse: func(c dist.Call) (dist.Distribution, error) {
		parts := c.Parts()
		if len(parts) != 2 {
			return nil, c.Errorf("write a duration and a distribution")
		}
		by, err := time.ParseDuration(parts[0])
		if err != nil {
			return nil, c.Errorf("%w", err)
		}
		inside, err := c.Nested(parts[1])
		if err != nil {
			return nil, c.Errorf("%w", err)
		}
		return delayed{inside, by, c.Kind + "(" + parts[0] + ", " + inside.String() + ")"}, nil
	},
}

// brokenKind is a kind whose parser asks for a parameter that its form does not have.
var brokenKind = dist.Kind{
	Forms: []string{"broken(a=1ms)"},
	Parse: func(c dist.Call) (dist.Distribution, error) {
		a, err := c.Args()
		if err != nil {
			return nil, err
		}
		return dist.Constant(dist.Round(a.Duration("b"))), a.Err()
	},
}

func TestKindFromOutside(t *testing.T) {
	p := dist.Parser{Kinds: maps.Clone(dist.Catalog)}
	p.Kinds["delayed"], p.Kinds["broken"] = delayedKind, brokenKind
	for text, want := range map[string]string{
		"late(3ms, exp(mean=2ms))": "delayed(3ms, exponential(mean=2ms))",
		"mix(0.5 delayed(3ms,1ms),0.5 1s)": "mixture(0.5 delayed(3ms, constant(1ms)), " +
			"0.5 constant(1s))",
	} {
		d, err := p.Parse(text)
		if err != nil || d.String() != want {
			t.Errorf("%s: %v, %v, want %s", text, d, err, want)
		}
	}
	for text, want := range map[string]string{
		"late(3ms)": "delayed: write a duration and a distribution",
		"late(3ms, exp())": "delayed: exponential: missing parameter " +
			"(write exponential(mean=10ms) or exponential(p99=40ms))",
		"broken(a=1ms)":     "broken: has no parameter b",
		"late(1s, file(x))": `delayed: file: no file can be read here ("x")`,
		"delay(1s)": `unknown distribution "delay"; did you mean delayed? (have ` +
			strings.Join(slices.Sorted(maps.Keys(p.Kinds)), ", ") + ")",
		"late(1s,late(1s,late(1s,late(1s,late(1s,1s)))))": strings.Repeat("delayed: ", 5) +
			"distributions are nested more than 4 deep",
		"late(1s, late(1s, ))": "delayed: delayed: no distribution " +
			"(write e.g. 10ms or exponential(mean=10ms))",
	} {
		if _, err := p.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	if _, err := dist.Parse("late(1s, 1s)", nil); err == nil {
		t.Error("the shipped catalog knows a kind from outside")
	}
	p.Open = func(string) ([]byte, error) { return nil, errors.New("gone") }
	if _, err := p.Parse("late(1s, file(x))"); err == nil || err.Error() != "delayed: file: gone" {
		t.Error(err)
	}
}
