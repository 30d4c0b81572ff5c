// Package experiments turns a question in TOML into runs, and the runs into results. [Load],
// [LoadFS] and [Parse] read an experiment; [Run] makes its runs and returns the results in memory.
//
// It is a facade of four packages: config reads the question, runner makes the runs, analysis
// computes metrics and statistics, and report writes the results.
package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
)

// The arguments and results of the functions of this package.
type (
	// Experiment is a question that is ready to be run. Load, LoadFS and Parse make it; nothing
	// changes it, so it may be run several times, also concurrently.
	Experiment = config.Experiment
	// Options are changes to an experiment by the command line or a program.
	Options = config.Options
	// Kinds are further kinds of policies, failures, resolvers and distributions, for Options.
	Kinds = config.Kinds
	// Measures are the metrics of a finished run.
	Measures = analysis.Measures
	// Summary is the result of all runs: the content of summary.json.
	Summary = analysis.Summary
	// Warning is something that weakens a result.
	Warning = analysis.Warning
)

// Load reads and checks the experiment in a file, or the shipped experiment with that name. An
// error is one line, "file:line: key: what is wrong, and what would be right". An error about a key
// wraps an [options.KeyError], an error of the file system one of package io/fs.
func Load(name string, opt Options) (*Experiment, error) {
	f, err := find(name, opt.Force)
	if err != nil {
		return nil, config.OneLine(err)
	}
	return config.Read(f, opt)
}

// LoadFS reads an experiment from a file system, as [Load] does. The data files that it names must
// be there too.
func LoadFS(fsys fs.FS, name string, opt Options) (*Experiment, error) {
	text, err := config.ReadFile(fsys, name, opt.Force)
	if err != nil {
		return nil, config.OneLine(fmt.Errorf("%s: %w", name, err))
	}
	dir, err := fs.Sub(fsys, path.Dir(name))
	if err != nil {
		return nil, config.OneLine(fmt.Errorf("%s: %w", name, err))
	}
	return config.Read(config.File{Name: name, Text: text, Dir: dir}, opt)
}

// Parse reads an experiment from its text, as [Load] does from a file of that name. The experiment
// can name no data files.
func Parse(name string, text []byte, opt Options) (*Experiment, error) {
	return config.Read(config.File{Name: name, Text: text}, opt)
}

// disk is the file system of the machine, by its own path names.
type disk struct{}

func (disk) Open(name string) (fs.File, error)     { return os.Open(name) }
func (disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// find returns the file with a name, or the shipped experiment with it.
func find(name string, force bool) (config.File, error) {
	f := config.File{Name: name, Dir: os.DirFS(filepath.Dir(name)), Root: disk{}}
	var err error
	if f.Text, err = config.ReadFile(disk{}, name, force); err == nil {
		return f, nil
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, config.ErrFolder) {
		if s, ships := shipped(name); ships {
			s.Root = disk{}
			return s, nil
		}
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if !strings.ContainsAny(name, "./") {
		return f, fmt.Errorf("%s: %w, nor does an experiment of that name ship with lbsim%s",
			name, err, shippedHint(name))
	}
	return f, fmt.Errorf("%s: %w", name, err)
}
