package dist

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// testdata opens the files of the tests.
func testdata(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join("testdata", name))
}

// mustParse parses a valid text, with files.
func mustParse(t testing.TB, text string) Distribution {
	t.Helper()
	d, err := Parse(text, testdata)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return d
}

// eachForm runs a test on every form of every kind. To join the catalog is to join it.
func eachForm(t *testing.T, test func(t *testing.T, form string, d Distribution)) {
	for _, name := range slices.Sorted(maps.Keys(Catalog)) {
		for _, form := range Catalog[name].Forms {
			t.Run(form, func(t *testing.T) { test(t, form, mustParse(t, form)) })
		}
	}
}

func TestNamesAndAliasesAreUnique(t *testing.T) {
	known := map[string]string{}
	for _, kind := range slices.Sorted(maps.Keys(Catalog)) {
		for _, name := range append(slices.Clone(Catalog[kind].Aliases), kind) {
			if known[name] != "" {
				t.Errorf("%s is %s and %s", name, known[name], kind)
			}
			known[name] = kind
			if full, _ := (Parser{Kinds: Catalog}).find(name); full != kind {
				t.Errorf("find(%q) = %q, want %q", name, full, kind)
			}
		}
	}
}

func TestQuantileSaturates(t *testing.T) {
	for _, text := range []string{
		"exponential(mean=2000000h)", "exponential(mean=100000h)", "pareto(alpha=0.01, min=1ms)",
		"weibull(shape=0.05, scale=1h)",
		"gamma(shape=2, scale=2000000h)", "lognormal(median=1h, sigma=20)",
		"mix(0.5 pareto(alpha=0.01, min=1ms), 0.5 pareto(alpha=0.01, min=1ms))",
	} {
		if q := mustParse(t, text).Quantile(1 - 0x1p-53); q != math.MaxInt64 {
			t.Errorf("%s: Quantile(1-2^-53) = %v, want the greatest Duration", text, q)
		}
	}
}
