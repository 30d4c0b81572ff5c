package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Load reads the experiment in the file of that name, or the one of that name that ships with lbsim,
// and checks all of it. Errors say "file:line: key: what is wrong", in a line.
func Load(name string, opt Options) (*Experiment, error) {
	f, err := find(name, opt.Force)
	if err != nil {
		return nil, OneLine(err)
	}
	return Read(f, opt)
}

// LoadFS reads an experiment from a file system, as [Load] does. The data files that it names must
// be there too.
func LoadFS(fsys fs.FS, name string, opt Options) (*Experiment, error) {
	text, err := ReadFile(fsys, name, opt.Force)
	if err != nil {
		return nil, OneLine(fmt.Errorf("%s: %w", name, err))
	}
	dir, err := fs.Sub(fsys, path.Dir(name))
	if err != nil {
		return nil, OneLine(fmt.Errorf("%s: %w", name, err))
	}
	return Read(File{Name: name, Text: text, Dir: dir}, opt)
}

// Parse reads an experiment from its text, as [Load] does from a file of that name. It can name no
// data files.
func Parse(name string, text []byte, opt Options) (*Experiment, error) {
	return Read(File{Name: name, Text: text}, opt)
}

// disk is the file system of the machine, with its own names.
type disk struct{}

func (disk) Open(name string) (fs.File, error)     { return os.Open(name) }
func (disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// find returns the file of that name, or that of the experiment of that name that ships with lbsim.
func find(name string, force bool) (File, error) {
	f := File{Name: name, Dir: os.DirFS(filepath.Dir(name)), Root: disk{}}
	text, err := ReadFile(disk{}, name, force)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrFolder) {
		if shipped, err2 := fs.ReadFile(Shipped, shippedFile(name)); err2 == nil {
			text, err = shipped, nil
			f.Dir, f.Shipped = Shipped, true
		}
	}
	f.Text = text
	if err == nil {
		return f, nil
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
