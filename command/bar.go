package command

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// bar shows in one line of a terminal how many of some things are done, and how long the others
// will take. A nil bar shows nothing.
type bar struct {
	screen *mpb.Progress
	line   *mpb.Bar
	what   atomic.Pointer[string] // stands in front
}

// newBar draws an empty bar.
func newBar(to io.Writer, what, things string, all int) *bar {
	b := &bar{screen: mpb.New(mpb.WithOutput(to), mpb.WithAutoRefresh())}
	b.Describe(what)
	begin := time.Now()
	b.line = b.screen.AddBar(int64(all),
		mpb.BarWidth(30),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return *b.what.Load() })),
		mpb.AppendDecorators(decor.CountersNoUnit("%d/%d "+things),
			decor.Any(func(s decor.Statistics) string { return leftText(s, time.Since(begin)) })),
	)
	return b
}

// leftText returns how long the others will take, at the pace of those that are done.
func leftText(s decor.Statistics, elapsed time.Duration) string {
	if s.Current == 0 || s.Current >= s.Total {
		return ""
	}
	left := elapsed / time.Duration(s.Current) * time.Duration(s.Total-s.Current)
	return fmt.Sprintf(", %v left", left.Round(time.Second))
}

// Add counts one more thing as done.
func (b *bar) Add() {
	if b != nil {
		b.line.Increment()
	}
}

// Set sets how many things are done.
func (b *bar) Set(done int) {
	if b != nil {
		b.line.SetCurrent(int64(done))
	}
}

// Describe sets the text in front.
func (b *bar) Describe(what string) {
	if b != nil {
		b.what.Store(&what)
	}
}

// Finish clears the line.
func (b *bar) Finish() {
	if b != nil {
		b.line.Abort(true)
		b.screen.Wait()
	}
}
