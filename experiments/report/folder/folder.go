// Package folder guards results folders: one process writes at a time, and nothing is replaced or
// removed that lbsim has not written.
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

// Folder is a results folder that is locked for this process. Files are made in a temporary folder
// below it and moved to their places when all of them are complete. A file that lbsim has not
// written is never removed, and replaced only by force.
type Folder struct {
	// Dir is the folder, as the user named it.
	Dir string
	// Earlier is the content when the folder was opened.
	Earlier Contents

	aside string          // the temporary folder
	lock  *os.File        // the folder itself, locked
	made  bool            // Open has made the folder
	force bool            // foreign files may be replaced
	ours  map[string]bool // Earlier.Files
}

// Contents is the content of .lbsim.json: what lbsim has written into a folder.
type Contents struct {
	// Source is the file of the experiment, relative to the folder, or "shipped NAME"; "" for none.
	Source string `json:"source"`
	// Complete reports whether no run is missing, save those that failed.
	Complete bool `json:"complete"`
	Runs     int  `json:"runs"` // finished runs
	// Files are the files that lbsim has written, by their paths relative to the folder.
	Files []string `json:"files"`
}

const (
	contentsFile = ".lbsim.json"
	asidePrefix  = ".lbsim-" // the number of the process follows
)

// Open makes the folder, if there is none, and locks it until Close. With force, files may be
// replaced that lbsim has not written or that belong to another experiment.
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
	// If the file system has no locks, the temporary folder with the process number must do.
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

// asideFolders returns the temporary folders of this process and of others, which may have been
// killed.
func (f *Folder) asideFolders() (names []string) {
	entries, _ := os.ReadDir(f.Dir)
	for _, e := range entries {
		number, is := strings.CutPrefix(e.Name(), asidePrefix)
		if is && e.IsDir() && strings.Trim(number, "0123456789") == "" {
			names = append(names, e.Name())
		}
	}
	return names
}

// clean removes the temporary folders of killed processes. The caller has the lock.
func (f *Folder) clean() {
	for _, name := range f.asideFolders() {
		os.RemoveAll(filepath.Join(f.Dir, name))
	}
}

// writer names the process that has the lock.
func (f *Folder) writer() string {
	for _, name := range f.asideFolders() {
		return "process " + strings.TrimPrefix(name, asidePrefix)
	}
	return "another process"
}

// read reads the contents that an earlier lbsim recorded; an unreadable record counts as none.
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

// Aside returns the temporary folder, from which [Folder.Publish] and [Folder.Move] move files to
// their places.
func (f *Folder) Aside() string { return f.aside }

// Close unlocks the folder and removes what has not been published.
func (f *Folder) Close() {
	os.RemoveAll(f.aside)
	if f.made {
		os.Remove(f.Dir) // unless it holds something
	}
	f.lock.Close()
}

// Publish moves files from the temporary folder to their places. It removes earlier plots of lbsim
// that are not among them.
func (f *Folder) Publish(files []string) error {
	return f.Move(files, "", f.Earlier, layout.IsPicture)
}

// Move moves files to their places, below the folder to, and records now as the contents, with the
// files that are there then. It removes the earlier files of lbsim that are not among them and for
// which old returns true. Each file is replaced atomically. A
// process that is killed in between leaves old files beside new ones, and all of them are in
// .lbsim.json.
func (f *Folder) Move(
	files []string, to string, now Contents, old func(name string) bool,
) error {
	moves := map[string]string{}
	for _, name := range files {
		place := path.Join(to, name)
		there, err := os.Lstat(filepath.Join(f.Dir, place))
		switch {
		case err != nil || f.ours[place]:
		case there.Mode().IsRegular() && f.sameContent(name, place):
			continue // the content is the same
		case !f.force:
			return f.foreignFile(place)
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

// remove removes a file of lbsim, and folders that are empty then.
func (f *Folder) remove(name string) {
	for ; name != "." && os.Remove(filepath.Join(f.Dir, name)) == nil; name = path.Dir(name) {
	}
}

// sameContent reports whether a new file and the file at its place have the same content.
func (f *Folder) sameContent(name, place string) bool {
	a, errA := os.ReadFile(filepath.Join(f.aside, name))
	b, errB := os.ReadFile(filepath.Join(f.Dir, place))
	return errA == nil && errB == nil && string(a) == string(b)
}

// write records the contents of the folder.
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

// CannotWrite returns the error that results cannot be written into a folder, with the reason.
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
