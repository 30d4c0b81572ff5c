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

func newConcurrent(onProgress func(by time.Duration), limit int) *concurrent {
	c := &concurrent{onProgress: onProgress, maxRecords: limit}
	c.freed.L = &c.mu
	return c
}

// begin adds a run.
func (c *concurrent) begin(g *guard) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs = append(c.runs, g)
}

// hold records how many records a run holds. It waits while all runs together hold too many, unless
// the run is the first.
func (c *concurrent) hold(g *guard, records int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held += records - g.records; records < g.records {
		c.freed.Broadcast()
	}
	g.records = records
	for c.held > c.maxRecords && c.runs[0] != g {
		c.freed.Wait()
	}
}

// end removes a run.
func (c *concurrent) end(g *guard) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held -= g.records
	for i, run := range c.runs {
		if run == g {
			c.runs = append(c.runs[:i], c.runs[i+1:]...)
			break
		}
	}
	c.freed.Broadcast()
}
