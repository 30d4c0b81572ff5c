package dist

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// File is the empirical distribution of measured durations: each of them equally likely.
//
// The file has one duration a line, with its unit, such as 3.2ms; blank lines and what follows a
// # are skipped. Or it is the JSON report of a run of ghz, see readGhz. Durations of zero or less
// are refused: what took no time was not measured.
type File struct {
	name     string
	sorted   []time.Duration
	mean     float64 // ns
	variance float64 // ns²
}

var fileKind = Kind{
	Doc:   "measured durations: a line each with unit, or the JSON report of a ghz run",
	Forms: []string{"file(latencies.csv)"},
	Parse: parseFile,
}

func parseFile(c Call) (Distribution, error) {
	name := c.Inner
	switch {
	case name == "":
		return nil, c.Errorf("no file name (write e.g. file(latencies.csv))")
	case strings.ContainsFunc(name, unicode.IsControl):
		return nil, c.Errorf("%s is no file name", quote(name))
	}
	data, err := c.Open(name)
	if err != nil {
		return nil, c.Errorf("%w", err)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	read := readLines
	if first := bytes.TrimSpace(data); len(first) > 0 && (first[0] == '{' || first[0] == '[') {
		read = readGhz
	}
	list, err := read(name, data)
	if err != nil {
		return nil, c.Errorf("%w", err)
	}
	return newFile(name, list), nil
}

// readLines reads a duration a line.
func readLines(name string, data []byte) ([]time.Duration, error) {
	var list []time.Duration
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		text, _, _ := strings.Cut(line, "#")
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		d, err := parseDuration(text)
		if err == nil && d == 0 {
			err = fmt.Errorf("must be at least 1ns (is %s)", shorten(text))
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		list = append(list, d)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no durations (write one a line, e.g. 3.2ms)", name)
	}
	return list, nil
}

func newFile(name string, list []time.Duration) *File {
	f := &File{name: name, sorted: list}
	slices.Sort(f.sorted)
	n := float64(len(list))
	for _, d := range f.sorted {
		f.mean += float64(d) / n
	}
	for _, d := range f.sorted {
		f.variance += float64(square(float64(d)-f.mean)) / n
	}
	return f
}

// Quantile returns the measured duration number ⌈u n⌉ of n, counted from the shortest as 1: none
// in between is made up.
func (f *File) Quantile(u float64) time.Duration {
	x := u * float64(len(f.sorted))
	i := int(x)
	if float64(i) == x {
		i--
	}
	return f.sorted[min(max(i, 0), len(f.sorted)-1)]
}

// Mean is the mean of the measured durations, in seconds.
func (f *File) Mean() float64 { return f.mean / second }

// Variance is the mean squared distance of the measured durations from their mean, in seconds².
func (f *File) Variance() float64 { return f.variance / second2 }

func (f *File) String() string { return "file(" + f.name + ")" }
