package report

import (
	"bufio"
	"cmp"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"lbsim/experiments/analysis"
	"lbsim/experiments/report/folder"
)

// rowStore stores the rows of runs in a file, in the order in which the runs end. The table has
// them in the order of run numbers.
type rowStore struct {
	file  *os.File
	buf   *bufio.Writer
	size  int64 // bytes written so far
	table *tableWriter
	runs  map[int]span // by number of the run
	err   error        // the first error of writing
}

// span is the part of the file that holds the rows of a run, [from, to) in bytes.
type span struct{ from, to int64 }

// newRowStore creates the file in the folder aside.
func newRowStore(f *folder.Folder, sweepKeys []string) (*rowStore, error) {
	file, err := os.Create(filepath.Join(f.Aside(), "rows"))
	if err != nil {
		return nil, folder.CannotWrite(f.Dir, err)
	}
	s := &rowStore{file: file, buf: bufio.NewWriterSize(file, 1<<20), runs: map[int]span{}}
	s.table = newTableWriter(s, sweepKeys)
	return s, nil
}

// Write implements io.Writer, for the table writer.
func (s *rowStore) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	return s.buf.Write(p)
}

// add stores the rows that write writes as those of run i.
func (s *rowStore) add(i int, write func(t *tableWriter)) {
	from := s.size
	write(s.table)
	if err := s.table.flush(); s.err == nil {
		s.err = err
	}
	s.runs[i] = span{from, s.size}
}

// writeTable writes the table: the rows of the runs, then those of all runs together.
func (s *rowStore) writeTable(name string, of *analysis.Summary) (err error) {
	if err := s.buf.Flush(); s.err != nil || err != nil {
		return cmp.Or(s.err, err)
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}()
	out := bufio.NewWriterSize(file, 1<<20)
	t := newTableWriter(out, of.SweepKeys)
	t.addHeader()
	if err := t.flush(); err != nil {
		return err
	}
	for _, i := range slices.Sorted(maps.Keys(s.runs)) {
		at := s.runs[i]
		rows := io.NewSectionReader(s.file, at.from, at.to-at.from)
		if _, err := io.Copy(out, rows); err != nil {
			return err
		}
	}
	t.addPoints(of)
	if err := t.flush(); err != nil {
		return err
	}
	return out.Flush()
}

// close closes the file. The rows have been read by then, or are not needed.
func (s *rowStore) close() { s.file.Close() }
