package plots

import (
	"math"
	"slices"
)

// timeBins is an even division of time, in seconds.
type timeBins struct {
	start, width float64
	n            int
}

// maxBins bounds the memory that a table with odd times can ask for.
const maxBins = 20000

func newTimeBins(times []float64) timeBins {
	b := timeBins{start: slices.Min(times), width: binWidth(times)}
	end := slices.Max(times)
	if b.width == 0 {
		b.width = 1
	}
	b.width = max(b.width, (end-b.start)/maxBins)
	b.n = b.index(end) + 1
	return b
}

// index is the bin that begins at a time.
func (b timeBins) index(t float64) int { return int(math.Round((t - b.start) / b.width)) }

// heatRow is a row of a heat map: at each moment the value that a share of some backends does not
// exceed.
type heatRow struct {
	name  string
	of    span // the backends, by index
	share float64
}

// ownRows gives each backend a row.
func ownRows(names []string) []heatRow {
	rows := make([]heatRow, len(names))
	for i, n := range names {
		rows[i] = heatRow{n, span{i, i}, 1}
	}
	return rows
}

// groupRows gives groups of many backends some rows that say how their values are spread: among a
// thousand rows one idle or one hung backend would be lost.
func groupRows(names []string) []heatRow {
	spread := []struct {
		name  string
		share float64
	}{{"most", 1}, {"90%", 0.9}, {"half", 0.5}, {"10%", 0.1}, {"least", 0}}
	var rows []heatRow
	for _, g := range spans(names) {
		if g.size() <= 2*len(spread) {
			for i := g.first; i <= g.last; i++ {
				rows = append(rows, heatRow{names[i], span{i, i}, 1})
			}
			continue
		}
		for _, s := range spread {
			rows = append(rows, heatRow{groupOf(names[g.first]) + "/" + s.name, g, s.share})
		}
	}
	return rows
}

func namesOf(rows []heatRow) []string {
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.name
	}
	return names
}

// heatGrid is one policy's values: row by row, bin by bin; NaN where there is none.
type heatGrid struct {
	policy string
	values []float64
	n      int // bins
}

// heatGrids gathers the values of the policies that have any. Of several seeds the values of a row
// are found in each run alone, and the median of these counts.
func (p *Point) heatGrids(scopes []string, rows []heatRow) ([]heatGrid, timeBins) {
	var times []float64
	for _, runs := range p.runs {
		for _, r := range runs {
			for _, b := range scopes {
				for _, s := range r.series[key{"inflight_count", b}] {
					times = append(times, s.X)
				}
			}
		}
	}
	bins := newTimeBins(times)
	var grids []heatGrid
	for i, policy := range p.policies {
		var ofRuns []heatGrid
		for _, r := range p.runs[i] {
			if g := r.heatGrid(scopes, bins); g != nil {
				ofRuns = append(ofRuns, g.spread(rows))
			}
		}
		if len(ofRuns) > 0 {
			g := medianGrid(ofRuns)
			g.policy = label(policy)
			grids = append(grids, g)
		}
	}
	return grids, bins
}

// heatGrid gathers the values of a run, a row a backend; nil where it has none.
func (r *run) heatGrid(scopes []string, bins timeBins) *heatGrid {
	g := &heatGrid{values: make([]float64, len(scopes)*bins.n), n: bins.n}
	for k := range g.values {
		g.values[k] = math.NaN()
	}
	found := false
	for b, scope := range scopes {
		for _, s := range r.series[key{"inflight_count", scope}] {
			g.values[b*bins.n+bins.index(s.X)] = s.Value
			found = true
		}
	}
	if !found {
		return nil
	}
	return g
}

// spread makes rows of a grid that has one a backend.
func (g *heatGrid) spread(rows []heatRow) heatGrid {
	out := heatGrid{values: make([]float64, 0, len(rows)*g.n), n: g.n}
	var column []float64
	for _, row := range rows {
		for bin := range g.n {
			column = column[:0]
			for b := row.of.first; b <= row.of.last; b++ {
				if v := g.values[b*g.n+bin]; !math.IsNaN(v) {
					column = append(column, v)
				}
			}
			v := math.NaN()
			if len(column) > 0 {
				slices.Sort(column)
				v = column[int(math.Round(row.share*float64(len(column)-1)))]
			}
			out.values = append(out.values, v)
		}
	}
	return out
}

// medianGrid gives the median of the values of several grids in each place.
func medianGrid(grids []heatGrid) heatGrid {
	if len(grids) == 1 {
		return grids[0]
	}
	out := heatGrid{values: make([]float64, len(grids[0].values)), n: grids[0].n}
	var there []float64
	for k := range out.values {
		there = there[:0]
		for _, g := range grids {
			if !math.IsNaN(g.values[k]) {
				there = append(there, g.values[k])
			}
		}
		out.values[k] = math.NaN()
		if len(there) > 0 {
			out.values[k] = middle(there)
		}
	}
	return out
}

// greatest is the greatest value of a block of backends and bins, NaN if it has none: where many
// cells share a pixel, one hot backend must not drown in the mean.
func (g heatGrid) greatest(backends, bins span) float64 {
	v := math.NaN()
	for b := backends.first; b <= backends.last; b++ {
		for _, w := range g.values[b*g.n+bins.first : b*g.n+bins.last+1] {
			if !(v >= w) && !math.IsNaN(w) {
				v = w
			}
		}
	}
	return v
}
