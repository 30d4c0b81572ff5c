package grpcgo

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
)

// inBubble calls f in a bubble of testing/synctest. A panic of f is an error, and so is a
// goroutine, f itself or one that it has left behind, that is blocked for ever.
func inBubble(f func()) (err error) {
	defer func() {
		if e := recover(); e != nil && err == nil {
			err = stuck(fmt.Sprint(e))
		}
	}()
	// A testing.T of no test: synctest asks it for nothing but a place to call f.
	synctest.Test(new(testing.T), func(*testing.T) {
		defer func() {
			if e := recover(); e != nil {
				err = fmt.Errorf("panic: %v%s", e, panicked())
			}
		}()
		f()
	})
	return err
}

// stuck explains a panic of synctest.
func stuck(text string) error {
	if strings.Contains(text, "main bubble goroutine has exited") {
		return fmt.Errorf("goroutines of it are still there after Close, and wait for ever (%s)",
			text)
	}
	return fmt.Errorf("it waits for ever, and nobody is left to wake it (%s)", text)
}

// panicked returns the place of the panic that is being recovered.
func panicked() string {
	pc := make([]uintptr, 64)
	frames := runtime.CallersFrames(pc[:runtime.Callers(0, pc)])
	for begun := false; ; {
		frame, more := frames.Next()
		inRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if begun && !inRuntime {
			return fmt.Sprintf(" (%s:%d)", filepath.Base(frame.File), frame.Line)
		}
		begun = begun || frame.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}
