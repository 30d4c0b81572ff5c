package grpcgo

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// A testing.T of no test is not documented to be enough for synctest: this says so when it is not.
func TestBubbles(t *testing.T) {
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			var slept time.Duration
			err := inBubble(func() {
				begin := time.Now()
				time.Sleep(time.Hour)
				slept = time.Since(begin)
			})
			if err != nil || slept != time.Hour {
				t.Errorf("slept %v, %v; want an hour at once", slept, err)
			}
		})
	}
	all.Wait()
}

func TestBubblesThatBreak(t *testing.T) {
	for _, c := range []struct {
		is   string
		do   func()
		want string
	}{
		{"a panic", func() { panic("boom") }, "panic: boom (bubble_test.go:"},
		{"a panic of the runtime", func() { var p *fakeHost; p.state = 0 },
			"nil pointer dereference (bubble_test.go:"},
		{"a panic that leaves a goroutine", func() {
			go func() { <-make(chan int) }()
			panic("boom")
		}, "panic: boom (bubble_test.go:"},
		{"waiting for ever", func() { <-make(chan int) }, "it waits for ever"},
		{"a goroutine that is left", func() { go func() { <-make(chan int) }() }, "still there"},
		{"a ticker that is left", func() {
			go func() {
				for range time.Tick(time.Second) {
				}
			}()
		}, "still there"},
	} {
		if err := inBubble(c.do); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.is, err, c.want)
		}
	}
}
