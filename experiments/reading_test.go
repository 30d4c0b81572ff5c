package experiments_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lbsim/experiments"
)

// What is no file of a sensible size is refused at once, as an experiment and as its data.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	pipe, large := filepath.Join(dir, "pipe"), filepath.Join(dir, "large")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(large)
	if err == nil {
		err = file.Truncate(1 << 40) // takes no room
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, row := range []struct{ name, want string }{
		{pipe, "is no regular file (a pipe or a device)"},
		{"/dev/zero", "is no regular file (a pipe or a device)"},
		{dir, "is a folder, not a file"},
	} {
		_, err := loadWithin(t, row.name, experiments.Options{}, 1<<20, 1<<18)
		if err == nil || !strings.Contains(err.Error(), row.name+": "+row.want) {
			t.Errorf("%s: got %v, want %s", row.name, err, row.want)
		}
		data := fileOf(t, strings.Replace(small, `"1ms"`, `"file(`+row.name+`)"`, 1))
		_, err = loadWithin(t, data, experiments.Options{}, 1<<20, 1<<18)
		if err == nil || !strings.Contains(err.Error(), "x.toml:5: backends.b.service: file: "+
			row.name+": "+row.want) {
			t.Errorf("file(%s): got %v, want %s", row.name, err, row.want)
		}
	}
	if _, err := loadWithin(t, large, experiments.Options{}, 32<<20, 1<<18); err == nil ||
		!strings.Contains(err.Error(), "has more than 4 MB, which is too much") {
		t.Errorf("got %v", err)
	}
	for name, want := range map[string]string{
		"../x.csv": "../x.csv: a data file must lie beside the experiment or below it, or be ",
		"table.csv": "table.csv: a data file is copied beside the results, where " +
			"table.csv is the name of one of them: call it otherwise",
		"./Table.csv":      "./Table.csv: a data file is copied beside the results",
		"latency.svg":      "latency.svg: a data file is copied beside the results",
		"partial/data.csv": "partial/data.csv: a data file is copied beside the results",
	} {
		data := fileOf(t, strings.Replace(small, `"1ms"`, `"file(`+name+`)"`, 1))
		if _, err := experiments.Load(data, experiments.Options{}); err == nil ||
			!strings.Contains(err.Error(), "x.toml:5: backends.b.service: file: "+want) {
			t.Errorf("file(%s): got %v, want %s", name, err, want)
		}
	}
}

// A folder of results may have the name of an experiment that ships.
func TestAFolderDoesNotHideAShippedExperiment(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("slow-node", 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := experiments.Load("slow-node", experiments.Options{}); err != nil {
		t.Error(err)
	}
}

// What the TOML package takes a time for that grows with the square of the depth is refused before
// it sees the text.
func TestDeepNestingIsRefusedAtOnce(t *testing.T) {
	parts := strings.Repeat("a.", 30)
	for _, row := range []struct{ what, text, want string }{
		{"tables", "x = 1\ny = " + strings.Repeat("{ a = ", 10_000), "x.toml:2: more than 32"},
		{"lists", "y = " + strings.Repeat("[", 10_000), "x.toml:1: more than 32 tables"},
		{"a key", strings.Repeat("a.", 10_000) + "b = 1", "x.toml:1: more than 32 tables"},
		{"a quoted key", strings.Repeat(`"a".`, 10_000) + "b = 1", "x.toml:1: more than 32"},
		{"a table's key", "[" + strings.Repeat("a.", 10_000) + "b]", "x.toml:1: more than 32"},
		{"keys in tables", "y = " + strings.Repeat("{ "+parts+"b = ", 9), "x.toml:1: more than 32"},
		{"many", strings.Repeat("x = { "+parts+"b = 1 }\n", 50_000), "too many tables or keys in"},
		{"a swept key", small + "[sweep]\n\"" + strings.Repeat("a.", 10_000) + "b\" = [1]",
			"is no key"},
	} {
		_, err := loadWithin(t, fileOf(t, row.text), experiments.Options{}, 32<<20, 1<<20)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want %s", row.what, err, row.want)
		}
	}
	for _, set := range []string{
		strings.Repeat("a.", 10_000) + "b=1", "x=" + strings.Repeat("[", 10_000),
	} {
		opt := experiments.Options{Set: []string{set}}
		if _, err := loadWithin(t, fileOf(t, small), opt, 1<<20, 1<<18); err == nil {
			t.Errorf("-set %.20s is accepted", set)
		}
	}
	// Brackets, dots and quotes in texts and comments nest nothing.
	text := `# ` + strings.Repeat("[", 99) + "\n" + small +
		"[sweep]\nbin = [\"1s\", '2s']\n" +
		"\"clients.c.method\" = [\"" + strings.Repeat("[.", 25) + "\", '" +
		strings.Repeat("{", 40) + "', \"\"\"a\"\"\"\", '''" + strings.Repeat("{\"", 20) + "''']\n"
	if _, err := experiments.Parse("x.toml", []byte(text), experiments.Options{}); err != nil {
		t.Error(err)
	}
}
