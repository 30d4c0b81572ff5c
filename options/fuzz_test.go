package options_test

import (
	"errors"
	"testing"

	"github.com/BurntSushi/toml"

	"lbsim/options"
)

// Whatever stands in a file is read or refused with a key; what is read is valid, and reads back.
func FuzzRead(f *testing.F) {
	f.Add(written)
	f.Add("whole = 1979-05-27\nlist = [1, \"a\", []]\nshape = [{}]\n[part]\nevery = 07:32:00")
	f.Add("[at.here]\nshape = { kind = \"frame\", inner = { kind = \"frame\" } }\nrate = \"1/s\"")
	f.Fuzz(func(t *testing.T, text string) {
		var file struct {
			At map[string]map[string]any `toml:"at"`
		}
		if _, err := toml.Decode(text, &file); err != nil {
			return
		}
		tree := file.At["here"]
		delete(tree, "kind")
		var v all
		var ke *options.KeyError
		if err := codec().Read(nil, tree, &v); err != nil {
			if !errors.As(err, &ke) || ke.Err.Error() == "" {
				t.Fatalf("no key: %v", err)
			}
			return
		}
		if err := options.Valid(nil, v); err != nil {
			t.Fatalf("read, and not valid: %v", err)
		}
		w := codec().Writer()
		w.Table("", v, "at", "here")
		file.At = nil
		if _, err := toml.Decode(w.String(), &file); err != nil {
			t.Fatalf("%v in:\n%s", err, w.String())
		}
		var again all
		if err := codec().Read(nil, file.At["here"], &again); err != nil {
			t.Fatalf("%v in:\n%s", err, w.String())
		}
		w2 := codec().Writer()
		if w2.Table("", again, "at", "here"); w2.String() != w.String() {
			t.Fatalf("again:\n%s\nbefore:\n%s", w2.String(), w.String())
		}
	})
}
