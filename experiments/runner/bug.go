package runner

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// bug is a panic in a run, which is a fault of lbsim and not of the experiment.
type bug struct {
	what  any
	stack []string
}

// Error implements error.
func (b *bug) Error() string { return fmt.Sprintf("a bug of lbsim: %v", b.what) }

// panicStack returns the stack of the panic that is being recovered, the innermost function first,
// each with its file and line.
func panicStack() (stack []string) {
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
