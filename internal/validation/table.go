// Package validation tests whether the simulator is correct: experiments estimate values that
// theory knows exactly, and the two are compared.
package validation

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// theory holds the known values; testdata/README.md gives their sources.
//
//go:embed testdata/theory.csv
var theory []byte

// entry is a line of the table: a value of a queueing system that is known.
type entry struct {
	family     string
	parameters params
	metric     string
	// value is in units of the mean service time, or without a unit.
	value float64
	// half95 is the half-width of the 95 % confidence interval of the value, over runs runs of
	// another simulator; both are 0 where the value is exact.
	half95 float64
	runs   int
	// quick reports whether it belongs to the quick part.
	quick bool
}

// params describe a system, such as "c=2;rho=0.5;S=Exp(mean 1)".
type params string

// table returns the lines of the table, in its order.
func table() []entry {
	lines, err := csv.NewReader(bytes.NewReader(theory)).ReadAll()
	if err != nil {
		panic(err)
	}
	var entries []entry
	for _, l := range lines[1:] {
		e := entry{family: l[0], parameters: params(l[1]), metric: l[2], quick: l[6] == "quick"}
		if e.value, err = strconv.ParseFloat(l[3], 64); err != nil {
			panic(err)
		}
		if l[4] != "" {
			if e.half95, err = strconv.ParseFloat(l[4], 64); err != nil {
				panic(err)
			}
			if e.runs, err = strconv.Atoi(l[5]); err != nil {
				panic(err)
			}
		}
		entries = append(entries, e)
	}
	return entries
}

// text returns the value of a key: of "max attempts m=3" that of m.
func (p params) text(key string) string {
	for _, piece := range p.pieces() {
		name, value, _ := strings.Cut(piece, "=")
		if name == key || strings.HasSuffix(name, " "+key) {
			return value
		}
	}
	panic(fmt.Sprintf("validation: %s has no %s", p, key))
}

// has reports whether there is a piece with this text.
func (p params) has(text string) bool { return strings.Contains(string(p), text) }

// number returns the number that the value of a key begins with.
func (p params) number(key string) float64 { return leading(p.text(key)) }

func (p params) integer(key string) int { return int(p.number(key)) }

// after returns the number that follows a text.
func (p params) after(text string) float64 {
	_, rest, found := strings.Cut(string(p), text)
	if !found {
		panic(fmt.Sprintf("validation: %s has no %q", p, text))
	}
	return leading(rest)
}

func leading(text string) float64 {
	end := strings.IndexFunc(text, func(r rune) bool {
		return !strings.ContainsRune("0123456789.e-", r)
	})
	if end >= 0 {
		text = text[:end]
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return v
}

// pieces splits at the semicolons outside parentheses.
func (p params) pieces() []string {
	var pieces []string
	depth, start := 0, 0
	for i, r := range p {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ';':
			if depth == 0 {
				pieces = append(pieces, string(p[start:i]))
				start = i + 1
			}
		}
	}
	return append(pieces, string(p[start:]))
}
