package experiments

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// FailedRun is a run of which there are no results.
type FailedRun struct {
	Policy string            `json:"policy"`
	Seed   uint64            `json:"seed"`
	Point  map[string]string `json:"point"`
	Reason string            `json:"reason"`
	// Stack is where lbsim itself broke, from the inside out; empty where it did not.
	Stack []string `json:"stack"`
}

// String says in a line which run it was, and why it failed.
func (f FailedRun) String() string {
	return fmt.Sprintf("%s: %s", placeOf(f.Policy, f.Seed, f.Point), f.Reason)
}

// placeOf names a run.
func placeOf(policy string, seed uint64, point map[string]string) string {
	at := ""
	for _, key := range sortedKeys(point) {
		at += fmt.Sprintf(", %s = %s", key, point[key])
	}
	return fmt.Sprintf("%s, seed %d%s", policy, seed, at)
}

// Failure says why the run failed and has no measures; nil where it did not fail.
func (m *Measures) Failure() error { return m.failure }

// failedRun is the run of measures that it failed to have.
func (m *Measures) failedRun() FailedRun {
	f := FailedRun{m.Policy, m.Seed, m.Point, m.failure.Error(), []string{}}
	if b, ok := m.failure.(*bug); ok {
		f.Stack = b.stack
	}
	return f
}

// bug is a panic in a run: lbsim itself is wrong.
type bug struct {
	what  any
	stack []string
}

func (b *bug) Error() string { return fmt.Sprintf("a bug of lbsim: %v", b.what) }

// panicked returns the functions that were running when the panic began that is being recovered,
// from the inside out, and the lines they were at.
func panicked() (stack []string) {
	pc := make([]uintptr, 64)
	frames := runtime.CallersFrames(pc[:runtime.Callers(0, pc)])
	for begun := false; ; {
		frame, more := frames.Next()
		if begun && !strings.HasPrefix(frame.Function, "runtime.") {
			stack = append(stack, fmt.Sprintf("%s (%s:%d)", frame.Function,
				path.Base(frame.File), frame.Line))
		}
		begun = begun || frame.Function == "runtime.gopanic"
		if !more {
			return stack
		}
	}
}
