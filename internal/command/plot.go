package command

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lbsim/plots"
)

// plot draws the plots of a results folder again.
func (a *app) plot(_ context.Context, args []string) error {
	fs := flag.NewFlagSet("lbsim plot", flag.ContinueOnError)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return usagef("plot: name one results folder, such as results/slow-node")
	}
	files, err := drawPlots(fs.Arg(0))
	if err != nil {
		return usageError{err}
	}
	for _, f := range files {
		fmt.Fprintln(a.stdout, filepath.Join(fs.Arg(0), f))
	}
	return nil
}

// drawPlots draws the plots of a results folder into it and returns the names of the files. Plots
// of an earlier table, with another sweep perhaps, are removed.
func drawPlots(dir string) ([]string, error) {
	file, err := os.Open(filepath.Join(dir, "table.csv"))
	if err != nil {
		return nil, fmt.Errorf("%s: no results folder: %w", dir, err)
	}
	defer file.Close()
	table, err := plots.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	drawn, err := plots.Write(dir, table, captionOf(dir))
	if err != nil {
		return nil, err
	}
	for _, k := range plots.Catalog {
		old, err := filepath.Glob(filepath.Join(escaped(dir), k.Name+"[.@]*"))
		if err != nil {
			return nil, err
		}
		for _, path := range old {
			if !slices.Contains(drawn, filepath.Base(path)) {
				if err := os.Remove(path); err != nil {
					return nil, err
				}
			}
		}
	}
	return drawn, nil
}

// captionOf says what the results in a folder are about, as far as their summary tells.
func captionOf(dir string) plots.Caption {
	var summary struct{ Name, Question, Version string }
	data, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil || json.Unmarshal(data, &summary) != nil {
		return plots.Caption{}
	}
	question, _, _ := strings.Cut(summary.Question, "\n")
	version, revision, _ := strings.Cut(summary.Version, " ")
	about := plots.Caption{
		Experiment: summary.Name, Question: question, Version: "lbsim " + version,
	}
	if revision != "" {
		about.Version += " " + revision[:min(len(revision), 12)]
	}
	return about
}

// escaped returns a path as a pattern that matches nothing else.
func escaped(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(path)
}
