// Package experiments turns a question in TOML into runs, and the runs into results. It is a facade
// of four packages: config reads the question, runner makes the runs, analysis computes metrics and
// statistics, and report writes the results.
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
	// Experiment is a question that is ready to be run.
	Experiment = config.Experiment
	// Options are what the command line, or the program, adds to an experiment.
	Options = config.Options
	// Kinds are further kinds in Options.
	Kinds = config.Kinds
	// Measures are the metrics of a finished run.
	Measures = analysis.Measures
	// Summary is the result of all runs: the content of summary.json.
	Summary = analysis.Summary
	// Warning is something that weakens a result.
	Warning = analysis.Warning
)

// Load reads and checks the experiment in a file, or the shipped experiment with that name. An
// error is one line, "file:line: key: what is wrong".
func Load(name string, opt config.Options) (*config.Experiment, error) {
	f, err := find(name, opt.Force)
	if err != nil {
		return nil, config.OneLine(err)
	}
	return config.Read(f, opt)
}

// LoadFS reads an experiment from a file system, as [Load] does. The data files that it names must
// be there too.
func LoadFS(fsys fs.FS, name string, opt config.Options) (*config.Experiment, error) {
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

// Parse reads an experiment from its text, as [Load] does from a file of that name. It can name no
// data files.
func Parse(name string, text []byte, opt config.Options) (*config.Experiment, error) {
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
