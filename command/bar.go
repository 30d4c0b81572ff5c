package command

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// bar shows in one line of a terminal how many of some things are done. A nil bar shows nothing.
type bar struct {
	to     io.Writer
	things string
	all    int
	begin  time.Time

	mu    sync.Mutex
	what  string // stands in front
	done  int
	drawn time.Time
}

const (
	barWidth  = 30
	barPause  = 65 * time.Millisecond // between two drawings, at least
	clearLine = "\r\x1b[K"
)

// newBar draws an empty bar.
func newBar(to io.Writer, what, things string, all int) *bar {
	b := &bar{to: to, things: things, all: all, begin: time.Now()}
	b.Describe(what)
	return b
}

// Add counts one more thing as done.
func (b *bar) Add() { b.update(false, func() { b.done++ }) }

// Set sets how many things are done.
func (b *bar) Set(done int) { b.update(false, func() { b.done = done }) }

// Describe sets the text in front, and draws it.
func (b *bar) Describe(what string) { b.update(true, func() { b.what = what }) }

// update changes the bar and draws it, if that is urgent or was not just done.
func (b *bar) update(urgent bool, change func()) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
	if now := time.Now(); urgent || now.Sub(b.drawn) >= barPause {
		b.drawn = now
		fmt.Fprint(b.to, clearLine, b.line(now.Sub(b.begin)))
	}
}

// line is the text of the bar when it has been there for some time.
func (b *bar) line(elapsed time.Duration) string {
	filled := min(barWidth*b.done/max(b.all, 1), barWidth) // there may be more runs than planned
	text := fmt.Sprintf("%s [%s%s] %d/%d %s", b.what, strings.Repeat("=", filled),
		strings.Repeat(" ", barWidth-filled), b.done, b.all, b.things)
	if b.done > 0 && b.done < b.all {
		left := elapsed / time.Duration(b.done) * time.Duration(b.all-b.done)
		text += fmt.Sprintf(", %v left", left.Round(time.Second))
	}
	return text
}

// Finish clears the line.
func (b *bar) Finish() {
	if b != nil {
		fmt.Fprint(b.to, clearLine)
	}
}
