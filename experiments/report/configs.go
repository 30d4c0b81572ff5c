package report

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lbsim/experiments/analysis"
	"lbsim/experiments/layout"
)

// maxKeys is how many keys in which two experiments differ are listed.
const maxKeys = 12

// WriteConfigs writes the keys in which two resolved experiments differ, and the tables that only
// one of them has.
func WriteConfigs(w io.Writer, first, second string) {
	a, b := keysOf(first), keysOf(second)
	lines := append(onlyIn(a, b, "first"), onlyIn(b, a, "second")...)
	for _, table := range slices.Sorted(maps.Keys(a)) {
		for _, key := range slices.Sorted(maps.Keys(a[table])) {
			x := a[table][key]
			if y, both := b[table][key]; both && x != y {
				lines = append(lines,
					fmt.Sprintf("%s is %s in the first, %s in the second", table+key, x, y))
			}
		}
	}
	slices.Sort(lines)
	if n := len(lines) - maxKeys; n > 0 {
		lines = append(lines[:maxKeys], fmt.Sprintf("… and %d more", n))
	}
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
}

// onlyIn returns lines about the tables and keys of one experiment that another does not have.
func onlyIn(a, b map[string]map[string]string, which string) (lines []string) {
	for _, table := range slices.Sorted(maps.Keys(a)) {
		if b[table] == nil {
			lines = append(lines, fmt.Sprintf("[%s] is in the %s alone",
				strings.TrimSuffix(table, "."), which))
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(a[table])) {
			if _, both := b[table][key]; !both {
				lines = append(lines, fmt.Sprintf("%s = %s is in the %s alone",
					table+key, a[table][key], which))
			}
		}
	}
	return lines
}

// keysOf reads a resolved experiment, which has one key per line. It returns the values by table
// and key; the name of a table ends in a full stop.
func keysOf(text string) map[string]map[string]string {
	table := ""
	keys := map[string]map[string]string{table: {}}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, is := strings.CutPrefix(line, "["); is {
			table = strings.TrimSuffix(name, "]") + "."
			keys[table] = map[string]string{}
		} else if key, value, is := strings.Cut(line, " = "); is && line[0] != '#' {
			keys[table][key] = value
		}
	}
	return keys
}

// ReadResolved reads the resolved experiment of a results folder.
func ReadResolved(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, layout.ResolvedFile))
	if err != nil {
		return "", fmt.Errorf("%s: the results folder is damaged: %w; run the experiment again",
			dir, err)
	}
	return string(text), nil
}

// WriteVersions writes a line if two folders come from different versions of lbsim, and one for
// each that is incomplete.
func WriteVersions(w io.Writer, dirA, dirB string, a, b *analysis.Summary) {
	if a.Version != b.Version {
		fmt.Fprintf(w, "%s comes from lbsim %s, %s from %s\n", dirA, a.Version, dirB, b.Version)
	}
	for _, s := range []struct {
		dir string
		*analysis.Summary
	}{{dirA, a}, {dirB, b}} {
		if !s.Complete {
			fmt.Fprintf(w, "%s is incomplete: the runs were stopped\n", s.dir)
		}
	}
}
