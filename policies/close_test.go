package policies

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A balancer that is closed, whatever has happened before, shuts down every SubConn and asks for
// nothing any more.
func TestCloseEndsAll(t *testing.T) {
	forEach(t, func(t *testing.T, p Policy) {
		rapid.Check(t, func(t *rapid.T) {
			w := newWeather(p, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "draw") })
			for range w.int(20) {
				switch w.int(4) {
				case 0:
					w.resolve()
				case 1:
					w.change()
				case 2:
					w.advance(time.Duration(w.int(500)) * time.Millisecond)
				case 3:
					if w.picker != nil {
						w.pick()
					}
				}
			}
			w.b.Close()
			w.settle()
			for _, s := range w.subConns {
				if s.state != Shutdown {
					t.Fatalf("%s is %v", s.name, s.state)
				}
			}
			w.take()
			w.advance(time.Hour)
			if calls := w.take(); len(calls) > 0 || w.Pending() > 0 {
				t.Fatalf("once closed it asks for %v; %d events are pending", calls, w.Pending())
			}
		})
	})
}
