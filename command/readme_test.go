package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbsim/internal/golden"
)

// The README shows what its first command prints and draws: this runs it.
func TestREADMEIsTrue(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := call(t, "-config", filepath.Join(root, "experiments/slow-node.toml"))
	if code != exitDone {
		t.Fatal(stderr)
	}
	for _, policy := range []string{"policy", "round_robin", "random", "least_request"} {
		for line := range strings.Lines(stdout) {
			row := strings.TrimSpace(line)
			if strings.HasPrefix(row, policy+" ") && !bytes.Contains(readme, []byte(row)) {
				t.Errorf("the README lacks this row:\n%s", row)
			}
		}
	}
	for _, name := range []string{"latency.svg", "differences.svg"} {
		drawn, err := os.ReadFile("results/slow-node/" + name)
		if err != nil {
			t.Fatal(err)
		}
		shown := filepath.Join(root, "docs/slow-node-"+name)
		if !bytes.Equal(golden.Kept(t, shown, drawn), drawn) {
			t.Errorf("%s is not what is drawn; use -update", shown)
		}
	}
}

// The README shows what lbsim diff prints.
func TestREADMEDiffIsTrue(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	const command = "lbsim diff -policies round_robin,random slow-node slow-node"
	_, stdout, stderr := call(t, strings.Fields(command)[1:]...)
	if !bytes.Contains(readme, []byte("$ "+command+"\n"+stdout+"```")) {
		t.Errorf("%s: the README does not show this:\n%s%s", command, stdout, stderr)
	}
}

// The README's sample experiment shows every key: it must be right, and run.
func TestREADMEExperimentIsRight(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```toml\n")
	sample, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("no TOML in the README")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("sample.toml", []byte(sample), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs("sample.toml")
	if err != nil {
		t.Fatal(err)
	}
	code, _, stderr := call(t, "-config", file,
		"-set", "duration=15s", "-set", "seeds=2", "-set", "max_seeds=2")
	if code != exitDone {
		t.Error(stderr)
	}
}
