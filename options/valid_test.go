package options_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lbsim/options"
)

func TestValid(t *testing.T) {
	at := []string{"at"}
	for _, row := range []struct {
		v    any
		want string
	}{
		{all{}, "<nil>"},
		{nil, "<nil>"},
		{all{Wait: -1}, "at.wait: must not be negative (is -1ns)"},
		{all{Ratio: math.NaN()}, "at.ratio: must be a finite number (is NaN)"},
		{all{Rate: -2}, "at.rate: must be greater than 0/s (is -2/s)"},
		{&all{Part: &part{Every: -1}}, "at.part.every: must not be negative (is -1ns)"},
		{all{Parts: []part{{}, {Every: -1}}}, "at.parts.every: must not be negative (is -1ns)"},
		{all{Named: map[string]part{"a b": {Every: -1}}},
			`at.named."a b".every: must not be negative (is -1ns)`},
		{all{Shape: frame{Inner: circle{Radius: -1}}},
			"at.shape.inner.radius: must be at least 0 (is -1)"},
		{all{Shape: circle{Radius: math.Inf(1)}},
			"at.shape.radius: must be a finite number (is +Inf)"},
		{all{Own: -1, hidden: -1}, "<nil>"},
	} {
		if got := fmt.Sprint(options.Valid(at, row.v)); got != row.want {
			t.Errorf("%+v: got %s, want %s", row.v, got, row.want)
		}
	}
}

func TestWalk(t *testing.T) {
	v := all{Shape: frame{
		Inner: circle{}, Names: map[string]shape{"b": frame{Inner: circle{}}, "a": circle{}},
	}}
	var got []string
	options.Walk(nil, v, func(key []string, s shape) {
		got = append(got, fmt.Sprintf("%s %T", strings.Join(key, "."), s))
	})
	want := []string{
		"shape options_test.frame", "shape.inner options_test.circle",
		"shape.names.a options_test.circle", "shape.names.b options_test.frame",
		"shape.names.b.inner options_test.circle",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
