package command

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/report"
	"lbsim/experiments/runner"
)

// fullDisk is where nothing can be written.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

// On a terminal it is said how much time was simulated, of how much, and which plots are drawn.
func TestProgressOfRunsAndPlots(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs, jobs: 1, terminal: true}
	args := []string{"pick-first-or-round-robin", "-set", "duration=2s", "-set", "warmup=0s"}
	if code := a.main(context.Background(), append(args, "-set", "seeds=3")); code != exitDone {
		t.Fatal(errs.String())
	}
	e, err := experiments.Load(args[0], experiments.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf(" of %d.0 s simulated)", 2*3*len(e.Policies))
	if text := errs.String(); !strings.Contains(text, all) || !strings.Contains(text, "drawing") {
		t.Errorf("the terminal shows %q, want it to have %q and drawing", text, all)
	}
}

// An error of stdout is reported, whichever command writes there.
func TestLostOutputIsReported(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range []string{
		"run pick-first-or-round-robin -set seeds=2",
		"run pick-first-or-round-robin -set seeds=2 -format csv",
		"run pick-first-or-round-robin -set seeds=2 -format json",
		"check slow-node", "list", "help", "version",
		"plot results/pick-first-or-round-robin",
		"compare results/pick-first-or-round-robin results/pick-first-or-round-robin",
		"diff -policies round_robin,random slow-node slow-node",
	} {
		var errs bytes.Buffer
		a := &app{stdout: fullDisk{}, stderr: &errs, jobs: 2}
		code := a.main(context.Background(), strings.Fields(args))
		const want = "lbsim: cannot write to stdout: no space left on device\n"
		if code != exitFailed || errs.String() != want {
			t.Errorf("%s: exit code %d, stderr %q, want %d, %q", args, code, errs.String(),
				exitFailed, want)
		}
	}
	if _, err := os.Stat("results/pick-first-or-round-robin/latency.svg"); err != nil {
		t.Errorf("the results are lost with the text: %v", err)
	}
}

// Runs that have ended are kept when drawing is stopped, and plots when drawing them again is.
func TestStoppedDrawingLosesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs, jobs: 2}
	const name = "pick-first-or-round-robin"
	if code := a.main(context.Background(), []string{name}); code != exitDone {
		t.Fatal(errs.String())
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	const dir = "results/" + name
	errs.Reset()
	if code := a.main(stopped, []string{"plot", dir}); code != exitFailed ||
		errs.String() != "lbsim: stopped\n" {
		t.Errorf("plot: exit code %d, stderr %q", code, errs.String())
	}
	if _, err := os.Stat(dir + "/latency.svg"); err != nil {
		t.Error(err)
	}
	e, err := experiments.Load(name, experiments.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan := runner.NewPlan(e)
	r, err := report.NewWriter("new", plan, false, a.isPlot)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := plan.Run(context.Background(), 2, r.Add); err != nil {
		t.Fatal(err)
	}
	r.Conclude()
	k, err := a.keep(stopped, &runFlags{out: "new", quiet: true}, r)
	if err != nil {
		t.Fatal(err)
	}
	const want = "stopped; new holds the results except the plots, which lbsim plot new draws"
	if k.undrawn == nil || k.undrawn.Error() != want {
		t.Errorf("got %v, want %q", k.undrawn, want)
	}
	if _, err := os.Stat("new/table.csv"); err != nil {
		t.Error(err)
	}
}
