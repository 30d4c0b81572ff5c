package stats

import (
	"math"
	"testing"

	"lbsim/sim"
)

// A series that comes down to its noise is cut where it has; one that does not, not in its half.
func TestMSER(t *testing.T) {
	r := sim.NewRand(1, "series")
	for _, row := range []struct {
		name     string
		start    int // the length of the start
		from, to int
		settled  bool
		perStep  float64
	}{
		{"none", 0, 0, 100, true, 0},
		{"200 steps", 200, 180, 320, true, 0.2},
		{"never", 1000, 500, 500, false, 0.2},
	} {
		series := make([]float64, 1000)
		for i := range series {
			series[i] = sim.NormalQuantile(r.Unit())
			series[i] += float64(row.perStep * float64(max(0, row.start-i)))
		}
		cut, settled := MSER(series)
		if cut < row.from || cut > row.to || settled != row.settled {
			t.Errorf("%s: cut at %d, settled: %v; want %d to %d, %v",
				row.name, cut, settled, row.from, row.to, row.settled)
		}
	}
}

// slowMSER is MSER-5 as White wrote it down: batches of five, what is left over at the end is not
// used, and the cut is where the variance of the rest over its number of batches is least; at least
// five batches are left.
func slowMSER(series []float64) (cut int, settled bool) {
	var batches []float64
	for len(series) >= 5 {
		batches = append(batches, (series[0]+series[1]+series[2]+series[3]+series[4])/5)
		series = series[5:]
	}
	if len(batches) < 10 {
		return len(batches) / 2 * 5, false
	}
	best, least := 0, math.Inf(1)
	for d := 0; d <= len(batches)-5; d++ {
		rest := batches[d:]
		mean, squares := 0.0, 0.0
		for _, x := range rest {
			mean += x / float64(len(rest))
		}
		for _, x := range rest {
			squares += (x - mean) * (x - mean)
		}
		if z := squares / float64(len(rest)*len(rest)); z < least {
			best, least = d, z
		}
	}
	if best > len(batches)/2 {
		return len(batches) / 2 * 5, false
	}
	return best * 5, true
}

// Short series of every length beside the definition, so that each value counts: also the last one
// of the last batch, and those after it that do not.
func TestMSERBesideItsDefinition(t *testing.T) {
	r := sim.NewRand(2, "series")
	for length := range 120 {
		for range 20 {
			series := make([]float64, length)
			start := int(r.Unit() * float64(length))
			for i := range series {
				series[i] = r.Unit()
				if i < start {
					series[i] += 3 * r.Unit()
				}
			}
			cut, settled := MSER(series)
			if c, s := slowMSER(series); cut != c || settled != s {
				t.Fatalf("%d values: cut at %d, settled: %v; want %d, %v: %v",
					length, cut, settled, c, s, series)
			}
		}
	}
}

// Of cuts that are equally good the earliest counts: it keeps most of the run.
func TestMSERCutsNothingOfAConstant(t *testing.T) {
	if cut, settled := MSER(make([]float64, 100)); cut != 0 || !settled {
		t.Errorf("cut at %d, settled: %v; want 0, true", cut, settled)
	}
}
