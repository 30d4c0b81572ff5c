package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"sync"
	"syscall"
)

// output is stdout. It keeps the first error of writing there, after which nothing more is written.
type output struct {
	to  io.Writer
	mu  sync.Mutex
	err error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		n, o.err = o.to.Write(p)
	}
	return n, o.err
}

// lost returns an error if a part of the output was not written. A reader that has gone, such as
// head, has seen what it wanted: errReaderGone.
func (o *output) lost() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var pe *fs.PathError
	switch {
	case o.err == nil:
		return nil
	case errors.Is(o.err, syscall.EPIPE):
		return errReaderGone
	case errors.As(o.err, &pe):
		return fmt.Errorf("cannot write to stdout: %w", pe.Err)
	}
	return fmt.Errorf("cannot write to stdout: %w", o.err)
}

// errReaderGone makes the exit code exitFailed and prints nothing.
var errReaderGone = errors.New("stdout is closed")

// crash is a panic of lbsim outside of runs.
type crash struct {
	what  any
	stack []byte
}

// Error implements error. The text has the stack, for a report of the bug.
func (c *crash) Error() string { return fmt.Sprintf("a bug of lbsim: %v\n%s", c.what, c.stack) }

// catch turns a panic of the function that defers it into an error.
func catch(err *error) {
	if what := recover(); what != nil {
		*err = &crash{what, debug.Stack()}
	}
}

// await calls do, which does not look at the context. If the context ends first, await returns and
// leaves do alone: the process will soon end.
func await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	if ctx.Err() != nil { // else select might see that do is done, and not this
		return result{}.value, context.Cause(ctx)
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() { done <- r }()
		defer catch(&r.err)
		r.value, r.err = do()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return result{}.value, context.Cause(ctx)
	}
}
