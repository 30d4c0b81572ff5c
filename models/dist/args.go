package dist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lbsim/internal/nearest"
)

// Args are the named parameters of a call, which together are one of the kind's forms. The methods
// that read a parameter keep the first error for [Args.Err] and return a harmless value after an
// error, so that the parser of a kind reads like its formulas.
type Args struct {
	kind string
	form string // the sorted names with commas, percentiles as p: "mean,sigma", "p,p"
	list []arg  // in the order of the form, percentiles rising
	err  error
}

// arg is one parameter. Its text becomes canonical as it is read.
type arg struct {
	name, text string
	share      float64 // 0.99 for p99, else 0
	ns         float64 // its duration, once read
}

// Args reads the parameters name=value, name=value, ... of Inner and orders them as in the form of
// the kind that has the same names.
func (c Call) Args() (*Args, error) {
	given, err := c.split(c.Inner)
	if err != nil {
		return nil, err
	}
	a := &Args{kind: c.Kind, form: formOf(given)}
	for _, form := range c.forms {
		_, inner, _ := strings.Cut(strings.TrimSuffix(form, ")"), "(")
		pattern, err := c.split(inner)
		homeless := func(x arg) bool { return placeOf(x, pattern) < 0 }
		if err != nil || formOf(pattern) != a.form || slices.ContainsFunc(given, homeless) {
			continue
		}
		slices.SortStableFunc(given, func(x, y arg) int {
			return placeOf(x, pattern) - placeOf(y, pattern)
		})
		a.list = given
		return a, nil
	}
	return nil, c.noForm(given)
}

// split reads name=value, name=value, …
func (c Call) split(inner string) ([]arg, error) {
	var list []arg
	for _, text := range splitTop(inner) {
		name, value, ok := strings.Cut(text, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok {
			if name == "" {
				return nil, c.Errorf("missing parameter (write %s)", c.formsText())
			}
			return nil, c.Errorf("parameter %s has no name (write %s)", quote(name),
				c.formsText())
		}
		a := arg{text: value}
		a.name, a.share = parsePercentile(name)
		if a.share < 0 || a.share >= 1 {
			return nil, c.Errorf("%s: a percentile lies between p0 and p100", quote(name))
		}
		for _, other := range list {
			if other.name == a.name {
				return nil, c.Errorf("%s is given twice", quote(a.name))
			}
		}
		list = append(list, a)
	}
	// Percentiles rise; other parameters keep their places among themselves.
	slices.SortStableFunc(list, func(x, y arg) int {
		switch {
		case x.share < y.share:
			return -1
		case x.share > y.share:
			return 1
		}
		return 0
	})
	return list, nil
}

// formOf returns what [Args.Form] returns.
func formOf(list []arg) string {
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = a.name
		if a.share > 0 {
			names[i] = "p"
		}
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

// placeOf returns where a parameter stands in a form; percentiles are all in one place.
func placeOf(a arg, pattern []arg) int {
	return slices.IndexFunc(pattern, func(p arg) bool {
		return p.name == a.name || p.share > 0 && a.share > 0
	})
}

// noForm returns what is wrong with parameters that are no form: a name that is in none, or else a
// choice of names.
func (c Call) noForm(given []arg) error {
	var known []string
	for _, form := range c.forms {
		_, inner, _ := strings.Cut(strings.TrimSuffix(form, ")"), "(")
		pattern, _ := c.split(inner)
		for _, p := range pattern {
			if !slices.Contains(known, p.name) {
				known = append(known, p.name)
			}
		}
	}
	percentiles := slices.ContainsFunc(known, func(name string) bool {
		_, share := parsePercentile(name)
		return share > 0
	})
	var names []string
	for _, a := range given {
		if !slices.Contains(known, a.name) && !(a.share > 0 && percentiles) {
			return c.Errorf("unknown parameter %s%s", quote(a.name), nearest.Hint(a.name, known))
		}
		names = append(names, a.name)
	}
	return c.Errorf("cannot be given by %s (write %s)", strings.Join(names, " and "),
		c.formsText())
}

// Err returns the first error, or nil.
func (a *Args) Err() error { return a.err }

// Form returns the sorted names of the parameters with commas in between, p for each percentile:
// "mean,sigma" or "p,p".
func (a *Args) Form() string { return a.form }

// Failf keeps an error, which begins with the kind, if it is the first.
func (a *Args) Failf(format string, values ...any) {
	if a.err == nil {
		a.err = fmt.Errorf("%s: "+format, append([]any{a.kind}, values...)...)
	}
}

// get returns the parameter with this name.
func (a *Args) get(name string) *arg {
	for i := range a.list {
		if a.list[i].name == name {
			return &a.list[i]
		}
	}
	a.Failf("has no parameter %s", name)
	return &arg{name: name, text: "1ns"}
}

// Duration reads a parameter as a duration of 0 or more and returns nanoseconds.
func (a *Args) Duration(name string) float64 {
	v := a.get(name)
	d, err := parseDuration(v.text)
	if err != nil {
		a.Failf("%s: %w", name, err)
		d = time.Millisecond
	}
	v.text, v.ns = durationText(d), float64(d)
	return v.ns
}

// PositiveDuration reads a parameter as a duration of at least a nanosecond and returns
// nanoseconds.
func (a *Args) PositiveDuration(name string) float64 {
	text := a.get(name).text
	ns := a.Duration(name)
	if ns == 0 {
		a.Failf("%s: must be at least 1ns (is %s)", name, text)
		return 1
	}
	return ns
}

// Number reads a parameter as a number without unit, from least to most.
func (a *Args) Number(name string, least, most float64) float64 {
	v := a.get(name)
	f, err := parseNumber(v.text)
	if err != nil {
		a.Failf("%s: %w", name, err)
		return least
	}
	v.text = numberText(f)
	if f < 0 && least >= 0 {
		a.Failf("%s must not be negative (is %s)", name, v.text)
	}
	return a.Within(name, f, least, most)
}

// threeDigits rounds a number to its first three digits.
func threeDigits(f float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'e', 2, 64), 64)
	if err != nil {
		return f // too large
	}
	return rounded
}

// Within returns f, which was computed from the parameters, if it lies between least and most. Else
// it keeps an error that calls f by name, and returns least.
func (a *Args) Within(name string, f, least, most float64) float64 {
	if f >= least && f <= most {
		return f
	}
	if len(a.list) > 1 && a.list[0].share > 0 {
		a.Failf("%s=%s and %s=%s make %s %s, which must be from %s to %s", a.list[0].name,
			a.list[0].text, a.list[1].name, a.list[1].text, name, numberText(threeDigits(f)),
			numberText(least), numberText(most))
	} else {
		a.Failf("%s must be from %s to %s (is %s)", name, numberText(least), numberText(most),
			numberText(f))
	}
	return least
}

// Percentile is a parameter such as p99=40ms.
type Percentile struct {
	Share       float64 // of the durations that are shorter, 0.99 for p99
	Nanoseconds float64
}

// Percentile reads the i-th parameter, which must be a percentile of the form.
func (a *Args) Percentile(i int) Percentile {
	v := a.list[i]
	return Percentile{Share: v.share, Nanoseconds: a.PositiveDuration(v.name)}
}

// Percentiles reads two percentiles, the only parameters of the form. The one with the greater
// share must be the longer duration.
func (a *Args) Percentiles() (lo, hi Percentile) {
	lo, hi = a.Percentile(0), a.Percentile(1)
	a.Rising(a.list[0].name, a.list[1].name)
	return lo, hi
}

// Rising keeps an error unless the duration called lo is less than the one called hi. Both have
// been read.
func (a *Args) Rising(lo, hi string) {
	l, h := a.get(lo), a.get(hi)
	if l.ns >= h.ns {
		a.Failf("%s (%s) must be greater than %s (%s)", hi, h.text, lo, l.text)
	}
}

// String writes the call in its canonical form. All parameters have been read.
func (a *Args) String() string {
	var b strings.Builder
	for i, v := range a.list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(v.name + "=" + v.text)
	}
	return a.kind + "(" + b.String() + ")"
}
