package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets the tests run the program: it is this test with LBSIM set.
func TestMain(m *testing.M) {
	if os.Getenv("LBSIM") != "" {
		main()
	}
	os.Exit(m.Run())
}

func lbsim(t *testing.T, args ...string) string {
	t.Helper()
	program := exec.Command(os.Args[0], args...)
	program.Env = append(os.Environ(), "LBSIM=1")
	var stderr bytes.Buffer
	program.Stderr = &stderr
	stdout, err := program.Output()
	if err != nil {
		t.Fatalf("lbsim %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(stdout)
}

func TestKindsAreListed(t *testing.T) {
	list := lbsim(t, "list")
	for _, kind := range []string{"fastest", "crash_loop", "triangular", "rate-over-time"} {
		if !strings.Contains(list, "\n  "+kind+" ") {
			t.Errorf("lbsim list does not show %s:\n%s", kind, list)
		}
	}
}

func TestExperimentRuns(t *testing.T) {
	out := filepath.Join(t.TempDir(), "results")
	lbsim(t, "check", "experiment.toml")
	lbsim(t, "experiment.toml", "-quiet", "-out", out)
	if _, err := os.Stat(filepath.Join(out, "rate-over-time.svg")); err != nil {
		t.Error(err)
	}
	// The resolved experiment names the same kinds, and gives the same results.
	again := filepath.Join(t.TempDir(), "again")
	lbsim(t, filepath.Join(out, "config.resolved.toml"), "-quiet", "-out", again)
	first, err := os.ReadFile(filepath.Join(out, "table.csv"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(filepath.Join(again, "table.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("the resolved experiment has other results")
	}
}
