package runner

import (
	"sync"
	"time"
)

// mostHeldTogether is how many records of RPCs all runs hold; beyond, only the one goes on that
// began first. What all runs hold stays below 4 GB, however many there are at a time.
const mostHeldTogether = 6_000_000

// together is what runs that go on at a time share. Whether one waits for another changes nothing
// in what comes of them.
type together struct {
	moved func(by time.Duration) // is told of the time that they simulate, if not nil
	most  int                    // records held, beyond which they go on one by one

	mu    sync.Mutex
	freed sync.Cond
	runs  []*guard // in the order in which they began
	held  int
}

func newTogether(moved func(by time.Duration), most int) *together {
	t := &together{moved: moved, most: most}
	t.freed.L = &t.mu
	return t
}

func (t *together) begin(g *guard) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs = append(t.runs, g)
}

// hold notes how many records a run holds, and waits while all hold too many and it is not the
// first.
func (t *together) hold(g *guard, records int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held += records - g.held; records < g.held {
		t.freed.Broadcast()
	}
	g.held = records
	for t.held > t.most && t.runs[0] != g {
		t.freed.Wait()
	}
}

func (t *together) end(g *guard) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held -= g.held
	for i, run := range t.runs {
		if run == g {
			t.runs = append(t.runs[:i], t.runs[i+1:]...)
			break
		}
	}
	t.freed.Broadcast()
}
