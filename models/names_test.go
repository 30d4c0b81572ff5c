package models_test

import (
	"slices"
	"strings"
	"testing"

	"lbsim/models"
)

func threeGroups() *models.Config {
	return &models.Config{Backends: []models.BackendGroup{
		{Name: "fast", Count: 9}, {Name: "slow", Count: 1}, {Name: "far", Count: 2},
	}}
}

func TestSelect(t *testing.T) {
	for _, row := range []struct {
		names string
		want  []int32
	}{
		{"", nil},
		{"fast", []int32{0, 1, 2, 3, 4, 5, 6, 7, 8}},
		{"slow", []int32{9}},
		{"far/1", []int32{11}},
		{"fast/2-4", []int32{2, 3, 4}},
		{"fast/8-8 slow/0 far", []int32{8, 9, 10, 11}},
		{"far slow fast/0", []int32{10, 11, 9, 0}}, // in the order of the names
	} {
		got, err := threeGroups().Select(strings.Fields(row.names))
		if err != nil || !slices.Equal(got, row.want) {
			t.Errorf("Select(%q): got %v, %v, want %v", row.names, got, err, row.want)
		}
	}
}

func TestSelectRefuses(t *testing.T) {
	for _, row := range []struct{ names, want string }{
		{"quick", `unknown backend group "quick" (have fast, slow, far)`},
		{"fats", `unknown backend group "fats"; did you mean fast? (have fast, slow, far)`},
		{"fats/1", `unknown backend group "fats"; did you mean fast? (have fast, slow, far)`},
		{"fast/9", `"fast/9": there is no fast/9: group fast has 9, numbered from 0`},
		{"fast/7-9", `"fast/7-9": there is no fast/9: group fast has 9, numbered from 0`},
		{"fast/x", `"fast/x": "x" must be a number, such as 2, or a range, such as 2-4`},
		{"fast/", `"fast/": "" must be a number, such as 2, or a range, such as 2-4`},
		{"fast/-1", `"fast/-1": "-1" must be a number, such as 2, or a range, such as 2-4`},
		{"fast/4-2", `"fast/4-2": "4-2" must be a number, such as 2, or a range, such as 2-4`},
		{"far/0-1-1", `"far/0-1-1": "0-1-1" must be a number, such as 2, or a range, such as 2-4`},
		{"fast/1 fast", `"fast" names backend fast/1 a second time`},
		{"far/0-1 far/1", `"far/1" names backend far/1 a second time`},
	} {
		got, err := threeGroups().Select(strings.Fields(row.names))
		if err == nil || err.Error() != row.want {
			t.Errorf("Select(%q): got %v, error %v, want error %s", row.names, got, err, row.want)
		}
	}
}

func TestBackendNames(t *testing.T) {
	cfg := threeGroups()
	names := cfg.BackendNames()
	if want := "fast/0 fast/1 fast/2"; strings.Join(names[:3], " ") != want || len(names) != 12 {
		t.Errorf("names %v, want 12 that begin with %s", names, want)
	}
	for n, name := range names {
		got, err := cfg.Select([]string{name})
		if err != nil || !slices.Equal(got, []int32{int32(n)}) {
			t.Errorf("backend %d is called %s, which selects %v, %v", n, name, got, err)
		}
	}
}
