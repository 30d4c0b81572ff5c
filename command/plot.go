package command

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"lbsim/experiments/report"
	"lbsim/experiments/report/folder"
	"lbsim/plots"
)

// plot draws the plots of a results folder again.
func (a *app) plot(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("lbsim plot", flag.ContinueOnError)
	force := flags.Bool("force", false, "replace files that no lbsim has written")
	names, err := a.parse(flags, args)
	if err != nil {
		return err
	}
	if len(names) != 1 {
		return usagef("plot: name one results folder, such as results/slow-node%s", having(names))
	}
	dir := names[0]
	if _, err := os.Stat(filepath.Join(dir, "table.csv")); err != nil {
		return usagef("%s: no results folder: %w", dir, err)
	}
	folder, err := folder.Open(dir, *force)
	if err != nil {
		return usageError{err}
	}
	defer folder.Close()
	if err := folder.Claim(a.isPlot); err != nil {
		return usageError{err}
	}
	drawn, err := a.draw(ctx, dir, folder.Aside(), false)
	if ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return wrongUse(ctx, fmt.Errorf("%s: %w", dir, err))
	}
	if err := folder.Publish(drawn); err != nil {
		return err
	}
	for _, name := range drawn {
		fmt.Fprintln(a.stdout, filepath.Join(dir, name))
	}
	return nil
}

// draw draws the plots of a results folder into another and returns the names of the files.
func (a *app) draw(ctx context.Context, from, to string, quiet bool) ([]string, error) {
	return await(ctx, func() ([]string, error) {
		file, err := os.Open(filepath.Join(from, "table.csv"))
		if err != nil {
			return nil, err
		}
		defer file.Close()
		t, err := plots.Read(file, a.kinds.Plots)
		if err != nil {
			return nil, err
		}
		var bar *bar
		drawn, err := plots.Write(to, t, captionOf(from), func(done, all int) error {
			if bar == nil {
				bar = a.progress(all, "drawing", "plots", quiet)
			}
			bar.Set(done)
			return ctx.Err()
		})
		bar.Finish()
		return drawn, err
	})
}

// captionOf reads what the results in a folder are about from their summary.
func captionOf(dir string) plots.Caption {
	var summary struct{ Name, Question, Version string }
	data, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil || json.Unmarshal(data, &summary) != nil {
		return plots.Caption{}
	}
	version, revision, _ := strings.Cut(summary.Version, " ")
	about := plots.Caption{
		Experiment: summary.Name, Question: report.FirstLine(summary.Question),
		Version: "lbsim " + version,
	}
	if revision != "" {
		about.Version += " " + revision[:min(len(revision), 12)]
	}
	return about
}

// plotOf returns the name of the plot that a file holds: each point of a sweep has files.
func plotOf(file string) string {
	name, _, _ := strings.Cut(strings.TrimSuffix(file, filepath.Ext(file)), "@")
	return name
}

// isPlot reports whether a plot may be drawn into a file of that name.
func (a *app) isPlot(file string) bool {
	ext := filepath.Ext(file)
	_, drawn := a.kinds.Plots[plotOf(file)]
	return drawn && (ext == ".svg" || ext == ".png")
}
