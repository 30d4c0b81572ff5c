package dist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lbsim/internal/nearest"
)

// args are the named parameters of a call, which together are one of the kind's forms. What reads
// them notes the first error in err and goes on with a harmless value, so that a kind's parser
// reads like its formulas.
type args struct {
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

// args takes the parameters apart and orders them as the form is written in the catalog.
func (c call) args() (*args, error) {
	given, err := c.split(c.inner)
	if err != nil {
		return nil, err
	}
	a := &args{kind: c.kind, form: formOf(given)}
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
func (c call) split(inner string) ([]arg, error) {
	var list []arg
	for _, text := range splitTop(inner) {
		name, value, ok := strings.Cut(text, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok {
			if name == "" {
				return nil, c.errorf("missing parameter (write %s)", strings.Join(c.forms, " or "))
			}
			return nil, c.errorf("parameter %s has no name (write %s)", quote(name),
				strings.Join(c.forms, " or "))
		}
		a := arg{text: value}
		a.name, a.share = parsePercentile(name)
		if a.share < 0 || a.share >= 1 {
			return nil, c.errorf("%s: a percentile lies between p0 and p100", quote(name))
		}
		for _, other := range list {
			if other.name == a.name {
				return nil, c.errorf("%s is given twice", quote(a.name))
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

// formOf returns what [args.form] holds.
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

// noForm says what is wrong with parameters that are no form: a name that is in none, or else a
// choice of names.
func (c call) noForm(given []arg) error {
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
			return c.errorf("unknown parameter %s%s", quote(a.name), nearest.Hint(a.name, known))
		}
		names = append(names, a.name)
	}
	return c.errorf("cannot be given by %s (write %s)", strings.Join(names, " and "),
		strings.Join(c.forms, " or "))
}

// fail notes an error, if it is the first.
func (a *args) fail(format string, values ...any) {
	if a.err == nil {
		a.err = fmt.Errorf(a.kind+": "+format, values...)
	}
}

// get returns the parameter with this name; a parser asks only for what its form has.
func (a *args) get(name string) *arg {
	i := slices.IndexFunc(a.list, func(x arg) bool { return x.name == name })
	return &a.list[i]
}

// duration reads a parameter as a duration of 0 or more, in nanoseconds.
func (a *args) duration(name string) float64 {
	v := a.get(name)
	d, err := parseDuration(v.text)
	if err != nil {
		a.fail("%s: %w", name, err)
		d = time.Millisecond
	}
	v.text, v.ns = durationText(d), float64(d)
	return v.ns
}

// positiveDuration reads a parameter as a duration of at least a nanosecond.
func (a *args) positiveDuration(name string) float64 {
	text := a.get(name).text
	ns := a.duration(name)
	if ns == 0 {
		a.fail("%s: must be at least 1ns (is %s)", name, text)
		return 1
	}
	return ns
}

// number reads a parameter as a plain number from least to most.
func (a *args) number(name string, least, most float64) float64 {
	v := a.get(name)
	f, err := parseNumber(v.text)
	if err != nil {
		a.fail("%s: %w", name, err)
		return least
	}
	v.text = numberText(f)
	if f < 0 && least >= 0 {
		a.fail("%s must not be negative (is %s)", name, v.text)
	}
	return a.within(name, f, least, most)
}

// threeDigits rounds a number to its first three digits.
func threeDigits(f float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'e', 2, 64), 64)
	if err != nil {
		return f // too large
	}
	return rounded
}

// within returns f if it lies between least and most, and else notes an error.
func (a *args) within(name string, f, least, most float64) float64 {
	if f >= least && f <= most {
		return f
	}
	if a.list[0].share > 0 {
		a.fail("%s=%s and %s=%s make %s %s, which must be from %s to %s", a.list[0].name,
			a.list[0].text, a.list[1].name, a.list[1].text, name, numberText(threeDigits(f)),
			numberText(least), numberText(most))
	} else {
		a.fail("%s must be from %s to %s (is %s)", name, numberText(least), numberText(most),
			numberText(f))
	}
	return least
}

// percentile reads the i-th parameter, a percentile.
func (a *args) percentile(i int) *arg {
	a.positiveDuration(a.list[i].name)
	return &a.list[i]
}

// percentiles reads two percentiles, the second of which must be the longer duration.
func (a *args) percentiles() (lo, hi *arg) {
	lo, hi = a.percentile(0), a.percentile(1)
	a.rising(lo.name, hi.name)
	return lo, hi
}

// rising notes an error unless the duration called lo is less than the one called hi. Both have
// been read.
func (a *args) rising(lo, hi string) {
	l, h := a.get(lo), a.get(hi)
	if l.ns >= h.ns {
		a.fail("%s (%s) must be greater than %s (%s)", hi, h.text, lo, l.text)
	}
}

// text writes the call in its canonical form.
func (a *args) text() string {
	var b strings.Builder
	for i, v := range a.list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(v.name + "=" + v.text)
	}
	return a.kind + "(" + b.String() + ")"
}
