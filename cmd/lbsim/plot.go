package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

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

// drawPlots draws the plots of a results folder into it and returns the names of the files.
func drawPlots(dir string) ([]string, error) {
	file, err := os.Open(filepath.Join(dir, "table.csv"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	table, err := plots.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return plots.Write(dir, table)
}
