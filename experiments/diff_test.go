package experiments_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbsim/experiments"
)

// pair is an experiment of which two versions differ in little.
const pair = `# Where do they part?
seeds    = 2
duration = "5s"
[clients.c]
rate     = "100/s"
arrivals = "even"
[backends.b]
count   = 2
service = "10ms"
[policies.round_robin]
[policies.random]
`

// diffOf returns what Diff says of pair and of another text, or of folders with their results.
func diffOf(t *testing.T, other string, opt experiments.DiffOptions) (string, error) {
	t.Helper()
	a := write(t, map[string]string{"my.toml": pair})
	b := write(t, map[string]string{"my.toml": other})
	var out strings.Builder
	err := experiments.Diff(t.Context(), &out, a, b, opt)
	return out.String(), err
}

// has reports whether lines hold these texts, in this order.
func has(lines string, want ...string) bool {
	for _, text := range want {
		_, rest, found := strings.Cut(lines, text)
		if !found {
			return false
		}
		lines = rest
	}
	return true
}

func TestDiff(t *testing.T) {
	for _, row := range []struct {
		name, old, new string
		opt            experiments.DiffOptions
		want           []string
	}{
		{"nothing differs", "", "", experiments.DiffOptions{}, []string{
			"round_robin, seed 1: they are equal, in all of ", "random, seed 1: they are equal"}},
		{"another speed from the first answer on", `"10ms"`, `"11ms"`,
			experiments.DiffOptions{Policies: []string{"round_robin"}},
			[]string{
				`b.service is "constant(10ms)" in the first, "constant(11ms)" in the second`,
				"round_robin, seed 1: they part after 12 equal events.",
				"  both    10ms           client c/0: RPC 1 was sent to b/1",
				"  first   10ms           client c/0: RPC 0 ended: OK",
				"  second  11ms           client c/0: RPC 0 ended: OK",
			}},
		{"a failure in the middle", "[policies.random]",
			"[policies.random]\n[failures.x]\nkind = \"slow\"\nbackends = [\"b/1\"]\n" +
				"factor = 3.0\nfrom = \"2s\"\n", experiments.DiffOptions{},
			[]string{"\n[failures.x] is in the second alone\n", "they part after ",
				"  first   2.0", "ended: OK", "  second  2.0"}},
		{"another duration", `"5s"`, `"4s"`, experiments.DiffOptions{Policies: []string{"random"}},
			[]string{"they part", "  first   4s ", "  second  nothing more"}},
		{"another group before it", "[backends.b]",
			"[backends.a]\nservice = \"1ms\"\n[backends.b]",
			experiments.DiffOptions{Policies: []string{"random"}},
			[]string{"\n[backends.a] is in the second alone\n", "they part after 4 equal events",
				"  first   0s             client c/0: its SubConn to b/0 became CONNECTING",
				"  second  0s             client c/0: its SubConn to a/0 became CONNECTING"}},
		{"two policies", "", "",
			experiments.DiffOptions{Policies: []string{"round_robin", "random"}}, []string{
				"round_robin and random, seed 1: they part after ",
				"  first   ", " was sent to b/", "  second  ", " was sent to b/"}},
		{"inside alone", `duration = "5s"`, "duration = \"5s\"\nbin = \"500ms\"",
			experiments.DiffOptions{},
			[]string{"what clients see is equal, in all of ", "but not what happens inside"}},
		{"another seed", "", "", experiments.DiffOptions{Seed: new(uint64(7))},
			[]string{"random, seed 7: they are equal"}},
	} {
		got, err := diffOf(t, strings.Replace(pair, row.old, row.new, 1), row.opt)
		if err != nil || !has(got, row.want...) {
			t.Errorf("%s: %v, got\n%swant\n%s", row.name, err, got, strings.Join(row.want, "\n"))
		}
	}
}

func TestDiffRefuses(t *testing.T) {
	for _, row := range []struct {
		old, new string
		policies []string
		want     string
	}{
		{"[policies.round_robin]\n[policies.random]", "[policies.pick_first]", nil,
			"has pick_first, and none is in both: name one of each, such as " +
				"-policies round_robin,pick_first"},
		{"", "", []string{"randon"}, `has no policy "randon"; did you mean random?`},
		{"", "", []string{"a", "b", "c"}, "-policies: name one, or one of each side (has 3)"},
		{"seeds    = 2", "seed = 7", nil, "have no seed in common: choose one with -seed"},
		{"[policies.random]", "[policies.random]\n[sweep]\nduration = [\"1s\"]", nil,
			`sweeps [], `},
	} {
		got, err := diffOf(t, strings.Replace(pair, row.old, row.new, 1),
			experiments.DiffOptions{Policies: row.policies})
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("got %v and\n%s, want an error %q", err, got, row.want)
		}
	}
}

// Folders are run again, and it is said where that gives another run than they keep.
func TestDiffOfFolders(t *testing.T) {
	dirs := [2]string{}
	for i := range dirs {
		dirs[i] = t.TempDir()
		for name, content := range results(t, load(t, pair), 2) {
			text := string(content)
			if i == 1 && name == "summary.json" {
				text = strings.Replace(text, `"digest": "`, `"digest": "x`, 1)
				text = strings.Replace(text, `"version": "`, `"version": "v9 `, 1)
			}
			if err := os.WriteFile(filepath.Join(dirs[i], name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	var out strings.Builder
	err := experiments.Diff(t.Context(), &out, dirs[0], dirs[1], experiments.DiffOptions{})
	if got := out.String(); err != nil || !has(got, "from v9 ", "they are equal",
		dirs[1]+" keeps another run than this lbsim", "of its config: it comes from lbsim v9 ",
		"random, seed 1: they are equal") || strings.Contains(got, dirs[0]+" keeps") {
		t.Errorf("%v, got\n%s", err, got)
	}
	if err := os.Remove(filepath.Join(dirs[1], "config.resolved.toml")); err != nil {
		t.Fatal(err)
	}
	err = experiments.Diff(t.Context(), &out, dirs[0], dirs[1], experiments.DiffOptions{})
	if err == nil || !strings.Contains(err.Error(), dirs[1]+": the results folder is damaged: ") {
		t.Errorf("got %v, want an error about a damaged folder", err)
	}
}
