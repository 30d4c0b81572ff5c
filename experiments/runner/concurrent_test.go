package runner

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

// Three runs that hold ten records together may hold no more but the first, on which the others
// wait, one after another.
func TestRunsThatHoldMuchGoOnOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		beside := newConcurrent(nil, 10)
		runs := []*guard{{}, {}, {}}
		var mu sync.Mutex
		var order []string
		note := func(what string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, what)
		}
		expect := func(want ...string) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			slices.Sort(order) // those of goroutines that wake at a time
			if !slices.Equal(order, want) {
				t.Errorf("got %q, want %q", order, want)
			}
			order = nil
		}
		for _, g := range runs {
			beside.begin(g)
		}
		hold := func(i, records int, what string) {
			go func() {
				beside.hold(runs[i], records)
				note(what)
			}()
		}
		hold(1, 5, "b holds 5")
		hold(2, 5, "c holds 5")
		expect("b holds 5", "c holds 5")
		hold(0, 100, "a holds 100")
		expect("a holds 100")
		hold(1, 6, "b holds 6")
		hold(2, 6, "c holds 6")
		expect()
		beside.end(runs[0]) // 12 are left
		expect("b holds 6")
		hold(1, 4, "b holds 4")
		expect("b holds 4", "c holds 6")
		beside.end(runs[1])
		if beside.held != 6 {
			t.Errorf("%d are held, want the 6 of c", beside.held)
		}
	})
}
