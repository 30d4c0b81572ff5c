package runner

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

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
