package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lbsim/experiments/report"
)

// kept describes where the results of lbsim run were written. Incomplete results do not replace
// complete ones or those of more runs: they go into a folder below.
type kept struct {
	dir     string // the folder that holds the results
	asked   string // the folder of -out, or its default
	undrawn error  // why plots are missing; nil if none is
}

// String returns a clause for the end of a message.
func (k *kept) String() string {
	text := k.dir + " holds the results"
	if k.dir != k.asked {
		text += "; " + k.asked + " keeps more complete ones of an earlier run"
	}
	return text
}

// keep writes the results to a folder aside, draws the plots there if no run is missing, and then
// publishes the folder: earlier results are kept until the new ones are written.
func (a *app) keep(ctx context.Context, f *runFlags, r *report.Writer) (*kept, error) {
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
		k.undrawn = fmt.Errorf("stopped; %s except the plots, which lbsim plot %s draws", k, k.dir)
	default:
		k.undrawn = fmt.Errorf("%s, but not all plots: %w", k, k.undrawn)
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

// showTable prints the table. An error of stdout is reported when the command ends.
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
