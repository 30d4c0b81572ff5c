package sim

import "testing"

// An event that parts a run comes before all else of its moment, though it is scheduled last, be
// that in the heap, in a wheel or among the timers.
func TestAtFirst(t *testing.T) {
	for _, many := range []int{0, 1000} {
		k, r, id := newRecorder()
		for i := range many {
			k.At(Time(1000+i), id, 9, 0)
		}
		k.At(50, id, 3, 0)
		k.SetTimer(50, id, 4, 0)
		k.SetTimeout(50, id, 5, 0)
		k.At(49, id, 2, 0)
		k.AtFirst(50, id, 1, 0)
		k.AtFirst(50, id, 0, 0)
		k.Run(50, 100)
		r.expect(t, happened{49, 2, 0}, happened{50, 0, 0}, happened{50, 1, 0},
			happened{50, 3, 0}, happened{50, 4, 0}, happened{50, 5, 0})
	}
}
