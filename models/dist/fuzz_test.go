package dist

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Whatever the text: no panic, an error of one line or a distribution whose text parses back to it.
func FuzzParse(f *testing.F) {
	for _, name := range slices.Sorted(maps.Keys(Catalog)) {
		e := Catalog[name]
		for _, form := range e.Forms {
			f.Add(form)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		open := func(name string) ([]byte, error) { return []byte(name), nil }
		d, err := Parse(text, open)
		if err != nil {
			if d != nil || err.Error() == "" || strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("Parse(%q) = %v, %q", text, d, err)
			}
			return
		}
		again, err := Parse(d.String(), open)
		if err != nil || !reflect.DeepEqual(again, d) {
			t.Fatalf("Parse(%q) = %s, which parses back to %v, %v", text, d, again, err)
		}
		for _, u := range []float64{0x1p-53, 0.01, 0.5, 0.99, 1 - 0x1p-53} {
			if q := d.Quantile(u); q < 0 {
				t.Fatalf("%s: Quantile(%v) = %v", d, u, q)
			}
		}
		if m, v := d.Mean(), d.Variance(); !(m >= 0) || !(v >= 0) {
			t.Fatalf("%s: mean %v, variance %v", d, m, v)
		}
	})
}
