package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shares are the shares of one policy at each backend, in percent; gone[i] where there is no row.
type shares struct {
	name    string
	look    look
	percent []float64
	least   []float64 // over the seeds, in percent
	most    []float64
	gone    []bool
}

// top is the greatest value that must be seen.
func (s *shares) top() float64 { return slices.Max(s.most) }

const (
	shareWidth = 620 // of the data area at least, to decide what fits
	leastRoom  = 5   // for a marker, below which each policy gets a panel
)

var idealLine = draw.LineStyle{Color: ink, Width: idealWidth}

var shareKind = Kind{
	Doc: "share of the RPCs that each backend got, with confidence intervals, and of the capacity",
	Metrics: map[string]X{
		"share_ratio":          NoX,
		"capacity_share_ratio": NoX,
	},
	Draw: drawShare,
}

// drawShare shows the share of the RPCs per backend: markers of all policies side by side while
// there is room for them and no policy dwarfs another, else one panel a policy.
//
// Of several seeds it shows ranks: the busiest backend of each run, the second, and so on. A mean
// of each backend over the runs would hide that in every run some backend got far more than its
// share, if that was another one each time.
func drawShare(p *Point) *Figure {
	scopes := p.backends("share_ratio")
	if len(scopes) == 0 {
		return nil
	}
	v := shareView{xLabel: "backend"}
	for _, b := range scopes {
		v.names = append(v.names, backendName(b))
	}
	f := &Figure{
		Title: "Share of the RPCs per backend, beside its share of the capacity",
		Note:  p.noteOf(""),
	}
	alike := make([]span, len(scopes))
	for i := range alike {
		alike[i] = span{i, i}
	}
	if n := p.seeds(); n > 1 {
		alike = p.alike(scopes, v.names)
		v.names = rankNames(v.names, alike)
		v.xLabel = "backend, by its rank in its group in each run: #1 got most"
		f.Note = p.noteOf("mean of %d seeds by rank, with the least and the most of a seed")
	}
	for i, name := range p.policies {
		if s := p.sharesOf(i, "share_ratio", scopes, alike); s != nil {
			s.name, s.look = label(name), lookOf(i)
			v.all = append(v.all, *s)
		}
		if v.ideal == nil {
			v.ideal = p.sharesOf(i, "capacity_share_ratio", scopes, alike)
		}
	}
	room := shareWidth / vg.Length(len(v.names)*(len(v.all)+1))
	if low, high := v.tops(); room >= leastRoom && high <= dwarfs*low {
		v.together(f, room)
	} else {
		v.apart(f)
	}
	return f
}

// alike parts the backends into runs of neighbours of one group that have the same share of the
// capacity in every run: which of them got most is chance.
func (p *Point) alike(scopes, names []string) []span {
	same := func(a, b int) bool {
		for _, runs := range p.runs {
			for _, r := range runs {
				x := r.series[key{"capacity_share_ratio", scopes[a]}]
				y := r.series[key{"capacity_share_ratio", scopes[b]}]
				if len(x) != len(y) || len(x) > 0 && math.Abs(x[0].Value-y[0].Value) > almost {
					return false
				}
			}
		}
		return true
	}
	of := make([]span, len(names))
	for _, g := range spans(names) {
		for i := g.first; i <= g.last; i++ {
			of[i] = span{i, i}
			if i > g.first && same(i-1, i) {
				of[i].first = of[i-1].first
				for k := of[i].first; k < i; k++ {
					of[k].last = i
				}
			}
		}
	}
	return of
}

// rankNames gives ranks in place of the numbers of backends that are alike. A backend that no other
// is like keeps its name.
func rankNames(names []string, alike []span) []string {
	out := slices.Clone(names)
	for i, s := range alike {
		if s.size() > 1 {
			out[i] = fmt.Sprintf("%s/#%d", groupOf(names[i]), i-s.first+1)
			if g := spanOf(names, i); g != s { // several kinds in one group
				out[i] = fmt.Sprintf("%s/%d-%d#%d", groupOf(names[i]), s.first-g.first,
					s.last-g.first, i-s.first+1)
			}
		}
	}
	return out
}

// spanOf is the group of a backend.
func spanOf(names []string, i int) span {
	all := spans(names)
	return all[slices.IndexFunc(all, func(s span) bool { return i <= s.last })]
}

// sharesOf gathers a ratio over the backends, or nil if the policy has none. In each run the values
// of backends that are alike are put in order, the greatest first.
func (p *Point) sharesOf(policy int, metric string, scopes []string, alike []span) *shares {
	n := len(scopes)
	s := &shares{
		percent: make([]float64, n), least: make([]float64, n), most: make([]float64, n),
		gone: make([]bool, n),
	}
	counts := make([]int, n)
	for _, r := range p.runs[policy] {
		for first := 0; first < n; first = alike[first].last + 1 {
			var values []float64
			for _, b := range scopes[first : alike[first].last+1] {
				if rows := r.series[key{metric, b}]; len(rows) > 0 {
					values = append(values, rows[0].Value*100)
				}
			}
			slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
			for i, v := range values {
				at := first + i
				if counts[at] == 0 {
					s.least[at] = v
				}
				s.percent[at] += v
				s.least[at], s.most[at] = min(s.least[at], v), max(s.most[at], v)
				counts[at]++
			}
		}
	}
	for i, n := range counts {
		s.gone[i] = n == 0
		s.percent[i] /= float64(max(n, 1))
	}
	if slices.Max(counts) == 0 {
		return nil
	}
	return s
}
