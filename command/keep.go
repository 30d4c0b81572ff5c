package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lbsim/experiments"
)

// kept says where results are.
type kept struct {
	dir, asked string // they are in dir, and were to be in asked
	undrawn    error  // why there are no plots, or not all
}

func (k *kept) String() string {
	text := k.dir + " holds the results"
	if k.dir != k.asked {
		text += ", " + k.asked + " more complete ones of before"
	}
	return text
}

// keep writes the results, and draws the plots where no run is missing.
func (a *app) keep(ctx context.Context, f *runFlags, r *experiments.Results) (*kept, error) {
	aside, err := r.Write()
	if err != nil {
		return nil, err
	}
	if f.format == "csv" && !f.quiet {
		a.showTable(filepath.Join(aside, "table.csv"))
	}
	k := &kept{asked: f.out}
	var drawn []string
	if r.Summary.Complete {
		drawn, k.undrawn = a.draw(ctx, aside, aside, f.quiet)
	}
	if k.dir, err = r.Publish(drawn); err != nil {
		return nil, err
	}
	switch {
	case k.undrawn == nil:
	case ctx.Err() != nil:
		k.undrawn = fmt.Errorf("stopped; %s but the plots, which lbsim plot %s draws", k, k.dir)
	default:
		k.undrawn = fmt.Errorf("%s but not all plots: %w", k, k.undrawn)
	}
	if f.quiet || f.format != "text" {
		return k, nil
	}
	fmt.Fprintf(a.stdout, "\n%s holds table.csv, summary.json, summary.txt, config.resolved.toml",
		k.dir)
	if len(drawn) > 0 {
		fmt.Fprintf(a.stdout, "\nand the plots (svg and png) %s",
			strings.Join(pictures(drawn), ", "))
	}
	fmt.Fprintln(a.stdout, ".")
	return k, nil
}

// showTable prints the table. That stdout takes nothing more is told at the end.
func (a *app) showTable(name string) {
	if table, err := os.Open(name); err == nil {
		_, _ = io.Copy(a.stdout, table)
		table.Close()
	}
}

// pictures returns the names of the plots, each once: it has two files for each point of a sweep.
func pictures(files []string) []string {
	var names []string
	for _, f := range files {
		if name := plotOf(f); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
