package grpcgo

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
)

// inBubble calls f in a bubble of testing/synctest. If f panics, or it or a goroutine that it has
// left behind waits for ever, that is an error.
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

// stuck says what a panic of synctest means.
func stuck(text string) error {
	if strings.Contains(text, "main bubble goroutine has exited") {
		return fmt.Errorf("goroutines of it are still there after Close, and wait for ever (%s)",
			text)
	}
	return fmt.Errorf("it waits for ever, and nobody is left to wake it (%s)", text)
}

// panicked returns where the panic that is being recovered began.
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
