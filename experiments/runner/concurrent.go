package runner

import (
	"sync"
	"time"
)

// maxRecords is how many records of RPCs all concurrent runs may hold together. Beyond it only the
// run that began first continues, so all runs together need less than 4 GB, however many there are.
const maxRecords = 6_000_000

// concurrent is the state that concurrent runs share. It decides only when a run continues, so it
// has no influence on results.
type concurrent struct {
	onProgress func(by time.Duration) // called with simulated time; may be nil
	maxRecords int

	mu    sync.Mutex
	freed sync.Cond // some run holds fewer records
	runs  []*guard  // in the order in which they began
	held  int       // records of all runs
}

func newConcurrent(moved func(by time.Duration), most int) *concurrent {
	t := &concurrent{onProgress: moved, maxRecords: most}
	t.freed.L = &t.mu
	return t
}

// begin adds a run.
func (t *concurrent) begin(g *guard) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs = append(t.runs, g)
}

// hold records how many records a run holds. It waits while all runs together hold too many, unless
// the run is the first.
func (t *concurrent) hold(g *guard, records int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held += records - g.records; records < g.records {
		t.freed.Broadcast()
	}
	g.records = records
	for t.held > t.maxRecords && t.runs[0] != g {
		t.freed.Wait()
	}
}

// end removes a run.
func (t *concurrent) end(g *guard) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held -= g.records
	for i, run := range t.runs {
		if run == g {
			t.runs = append(t.runs[:i], t.runs[i+1:]...)
			break
		}
	}
	t.freed.Broadcast()
}
