package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"lbsim/experiments/layout"
)

// Folder is a results folder that this process alone may write into. Files are made aside, in a
// folder below it, and moved to their places when all of them are whole. What no lbsim has written
// is neither replaced, but by force, nor ever removed.
type Folder struct {
	Dir   string
	aside string   // where files are made
	lock  *os.File // the folder itself
	made  bool     // it was not there before
	force bool

	Earlier Contents
	ours    map[string]bool // the files of has
}

// Contents is what lbsim has left in a folder.
type Contents struct {
	// Source is the file of the experiment, seen from the folder, or "shipped NAME"; "" for none.
	Source   string `json:"source"`
	Complete bool   `json:"complete"`
	Runs     int    `json:"runs"` // that were finished
	// Files are all that lbsim has written here, by their paths from the folder.
	Files []string `json:"files"`
}

const (
	contentsFile = ".lbsim.json"
	asidePrefix  = ".lbsim-" // the number of the process follows
)

// Open makes the folder, if there is none, and locks it until it is closed. By force, files
// are replaced that no lbsim has written, or that are of another experiment.
func Open(dir string, force bool) (*Folder, error) {
	f := &Folder{Dir: dir, force: force, ours: map[string]bool{}}
	_, err := os.Stat(dir)
	f.made = errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, CannotWrite(dir, err)
	}
	if f.lock, err = os.Open(dir); err != nil {
		return nil, CannotWrite(dir, err)
	}
	// Where a file system has no locks, the name of the process must do.
	err = syscall.Flock(int(f.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		f.clean()
	}
	f.aside = filepath.Join(dir, fmt.Sprintf("%s%d", asidePrefix, os.Getpid()))
	if !errors.Is(err, syscall.EWOULDBLOCK) {
		err = os.Mkdir(f.aside, 0o755)
	}
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s: %s is writing results there: wait for it, or choose another folder "+
			"with -out", dir, f.writer())
	} else if err != nil {
		err = CannotWrite(dir, err)
	}
	if err != nil {
		f.lock.Close()
		return nil, err
	}
	f.read()
	return f, nil
}

// left returns the names of folders in which files are made, or were by a process that was killed.
func (f *Folder) left() (names []string) {
	entries, _ := os.ReadDir(f.Dir)
	for _, e := range entries {
		number, is := strings.CutPrefix(e.Name(), asidePrefix)
		if is && e.IsDir() && strings.Trim(number, "0123456789") == "" {
			names = append(names, e.Name())
		}
	}
	return names
}

// clean removes what processes have left that were killed: none of them has the lock.
func (f *Folder) clean() {
	for _, name := range f.left() {
		os.RemoveAll(filepath.Join(f.Dir, name))
	}
}

// writer names the process that has the lock.
func (f *Folder) writer() string {
	for _, name := range f.left() {
		return "process " + strings.TrimPrefix(name, asidePrefix)
	}
	return "another process"
}

// read reads what an earlier lbsim has left. What cannot be read says nothing.
func (f *Folder) read() {
	data, err := os.ReadFile(filepath.Join(f.Dir, contentsFile))
	if err != nil || json.Unmarshal(data, &f.Earlier) != nil {
		f.Earlier = Contents{}
	}
	f.Earlier.Files = slices.DeleteFunc(f.Earlier.Files, func(name string) bool {
		return !filepath.IsLocal(name) || name == "."
	})
	for _, name := range f.Earlier.Files {
		f.ours[name] = true
	}
}

// Aside is the folder in which files are made that [Folder.Publish] moves to their places.
func (f *Folder) Aside() string { return f.aside }

// Close gives the folder back. What has not been published is gone.
func (f *Folder) Close() {
	os.RemoveAll(f.aside)
	if f.made {
		os.Remove(f.Dir) // unless it holds something
	}
	f.lock.Close()
}

// Publish moves files that were made aside to their places and removes those of an earlier lbsim
// that they replace: of these the plots alone, if only plots are new.
func (f *Folder) Publish(files []string) error {
	now := f.Earlier
	return f.Move(files, "", now, layout.IsPicture)
}

// Move moves files to their places, below the folder to, and removes those old ones that are not
// among them. Each is replaced in one go; a process that is killed in between leaves old ones
// beside new ones, all of which it has said are lbsim's.
func (f *Folder) Move(
	files []string, to string, now Contents, old func(name string) bool,
) error {
	moves := map[string]string{}
	for _, name := range files {
		place := path.Join(to, name)
		there, err := os.Lstat(filepath.Join(f.Dir, place))
		switch {
		case err != nil || f.ours[place]:
		case there.Mode().IsRegular() && f.same(name, place):
			continue // whoever has put it there
		case !f.force:
			return f.stranger(place)
		}
		moves[place] = name
	}
	kept := slices.DeleteFunc(slices.Clone(f.Earlier.Files), func(name string) bool {
		return moves[name] != "" || old(name)
	})
	places := slices.Sorted(maps.Keys(moves))
	both := f.Earlier
	both.Files = append(slices.Clone(f.Earlier.Files), places...)
	if err := f.write(both); err != nil {
		return err
	}
	for _, place := range places {
		at := filepath.Join(f.Dir, filepath.FromSlash(place))
		err := os.MkdirAll(filepath.Dir(at), 0o755)
		if err == nil {
			err = os.Rename(filepath.Join(f.aside, filepath.FromSlash(moves[place])), at)
		}
		if err != nil {
			return CannotWrite(f.Dir, err)
		}
	}
	for _, name := range f.Earlier.Files {
		if moves[name] == "" && old(name) {
			f.remove(name)
		}
	}
	now.Files = append(kept, places...)
	return f.write(now)
}

// remove removes a file of lbsim's, and folders that are empty without it.
func (f *Folder) remove(name string) {
	for ; name != "." && os.Remove(filepath.Join(f.Dir, name)) == nil; name = path.Dir(name) {
	}
}

// same says whether a file that was made is there already.
func (f *Folder) same(name, place string) bool {
	a, errA := os.ReadFile(filepath.Join(f.aside, name))
	b, errB := os.ReadFile(filepath.Join(f.Dir, place))
	return errA == nil && errB == nil && string(a) == string(b)
}

// write keeps what is in the folder.
func (f *Folder) write(c Contents) error {
	slices.Sort(c.Files)
	c.Files = slices.Compact(c.Files)
	doc, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	made := filepath.Join(f.aside, contentsFile)
	err = os.WriteFile(made, append(doc, '\n'), 0o644)
	if err == nil {
		err = os.Rename(made, filepath.Join(f.Dir, contentsFile))
	}
	if err != nil {
		return CannotWrite(f.Dir, err)
	}
	return nil
}

// CannotWrite says that results cannot be written into a folder, and why.
func CannotWrite(dir string, err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	}
	return fmt.Errorf("%s: cannot write results there: %w; choose another folder with -out",
		dir, err)
}
