package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs the command in an empty folder.
func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs, jobs: 2}
	code = a.main(context.Background(), args)
	return code, out.String(), errs.String()
}

func TestExitCodes(t *testing.T) {
	tests := []struct {
		args   []string
		code   int
		stderr string // a part of it; nothing for none at all
	}{
		{[]string{"help"}, exitDone, ""},
		{[]string{"run", "-h"}, exitDone, ""},
		{[]string{"version"}, exitDone, ""},
		{[]string{"list"}, exitDone, ""},
		{[]string{"list", "policies", "plots"}, exitDone, ""},
		{[]string{"check", "slow-node"}, exitDone, ""},
		{nil, exitUsage, "lbsim: nothing to do: name an experiment with -config"},
		{[]string{"rnu"}, exitUsage, `unknown command "rnu"; did you mean run?`},
		{[]string{"-cofnig", "x"}, exitUsage, "flag provided but not defined: -cofnig"},
		{[]string{"run"}, exitUsage, "which experiment? name a file or a shipped one with -config"},
		{[]string{"-config", "none.toml"}, exitUsage, "none.toml: no such file or directory"},
		{[]string{"-config", "slow-nod"}, exitUsage, "did you mean slow-node?"},
		{[]string{"-config", "slow-node", "-seed", "x"}, exitUsage, "must be a whole number"},
		{[]string{"-config", "slow-node", "-jobs", "0"}, exitUsage, "-jobs must be at least 1"},
		{[]string{"-config", "slow-node", "-format", "yaml"}, exitUsage, `unknown "yaml"`},
		{[]string{"-config", "slow-node", "-policies", "p2c"}, exitUsage, `has no policy "p2c"`},
		{[]string{"-config", "slow-node", "-out", "/dev/null/x"}, exitUsage, "cannot write"},
		{[]string{"list", "policy"}, exitUsage, `unknown family "policy"; did you mean policies?`},
		{[]string{"check"}, exitUsage, "check: name one experiment"},
		{[]string{"plot", "nowhere"}, exitUsage, "nowhere"},
		{[]string{"validate", "-jobs", "0"}, exitUsage, "-jobs must be at least 1"},
		{[]string{"validate", "all"}, exitUsage, `unexpected "all"`},
		{[]string{"validate", "-quick"}, exitUsage, "docs"}, // there is no such folder
		{[]string{"-config", "pick-first-or-round-robin", "-quiet"}, exitDone, ""},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			code, _, stderr := call(t, test.args...)
			if code != test.code {
				t.Errorf("exit code %d, want %d; stderr: %s", code, test.code, stderr)
			}
			if (test.stderr == "") != (stderr == "") || !strings.Contains(stderr, test.stderr) {
				t.Errorf("stderr %q, want it to contain %q", stderr, test.stderr)
			}
		})
	}
}

func TestWrongUseLeavesNoFiles(t *testing.T) {
	call(t, "-config", "slow-node", "-set", "clients.web.rate=0/s")
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}

func TestInterruptKeepsFinishedRunsAndFails(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := &app{stdout: &out, stderr: &errs, jobs: 1}
	code := a.main(ctx, []string{"-config", "slow-node"})
	if code != exitFailed || !strings.Contains(errs.String(), "stopped after 0 of 15 runs") {
		t.Errorf("exit code %d, stderr %q", code, errs.String())
	}
	doc, err := os.ReadFile(filepath.Join("results", "slow-node", "summary.json"))
	if err != nil || !bytes.Contains(doc, []byte(`"complete": false`)) {
		t.Errorf("summary.json does not say that it is incomplete (%v)", err)
	}
}
