package plots

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

// What a hurried reader takes from a picture must be so.

// Beyond the last quantile with a value a curve rises to the longest latency where the failed RPCs
// begin: a level line would say that the slowest of all took no longer than the last quantile.
func TestALatencyCurveEndsAtTheLongestLatency(t *testing.T) {
	var axis plot.Axis
	logAxis(&axis, 1, 1000)
	samples := []Sample{{X: 0.5, Value: 10}, {X: 0.9, Value: 75}}
	k := answered(samples, 1, axis, 0.001, 100)
	if last := k.pieces[0][len(k.pieces[0])-1]; last.Y != log10(75) || len(k.pieces[0]) != 2 {
		t.Errorf("the curve goes on to %v, want its end at the last quantile", last)
	}
	edge := k.thin[len(k.thin)-1]
	if edge.X != nines(0.999) || edge.Y != 2 {
		t.Errorf("thin line to %v, want to the 0.999 of all that were answered, 100 ms", edge)
	}
	if top := k.pieces[1]; top[0] != edge || top[1].X != edge.X || top[1].Y != axis.Max {
		t.Errorf("end is %v, want upright from %v to %v", top, edge, axis.Max)
	}
}

func TestAPolicyThatFailsAllKeepsItsPlaceInTheKey(t *testing.T) {
	table := head + "good,1,latency_ms,ok,0,0.000001\ngood,1,latency_ms,ok,0.2,5\n" +
		"good,1,latency_ms,ok,0.5,9\ngood,1,rpcs_count,code:OK,,100\n" +
		"bad,1,rpcs_count,code:UNAVAILABLE,,100\n"
	f := drawLatency(read(t, table).points()[0])
	var names []string
	for _, e := range f.key {
		names = append(names, e.name)
	}
	if want := []string{"good", "bad (all failed)"}; !slices.Equal(names, want) {
		t.Errorf("key %q, want %q", names, want)
	}
	svg, _, err := encode(f)
	if err != nil {
		t.Fatal(err)
	}
	// The least latency of all, a picosecond, is no reason for nine decades of axis.
	if text := string(svg); strings.Contains(text, ">0.0") || !strings.Contains(text, ">20%<") {
		t.Error("the axes begin at the least latency, want them to begin at 20%")
	}
}

func TestCurvesThatCoincideAreNamed(t *testing.T) {
	table := head
	for _, row := range []string{
		"a,1,p99_ms,time,0,5", "a,1,p99_ms,time,1,6", "b,1,p99_ms,time,0,5",
		"b,1,p99_ms,time,1,6", "c,1,p99_ms,time,0,5", "c,1,p99_ms,time,1,7",
	} {
		table += row + "\n"
	}
	f := drawP99OverTime(read(t, table).points()[0])
	if got := f.key[1].name + ", " + f.key[2].name; got != "b (equal to a), c" {
		t.Errorf("key: %s, want b (equal to a), c", got)
	}
}

// One interval of ±1000 % among differences of some percent leaves these to be seen.
func TestOneWideIntervalDoesNotSetTheAxis(t *testing.T) {
	lo, hi := differenceSpan([]differences{{of: []difference{
		{percent: 5, half: 1}, {percent: -3, half: 1000}, {percent: math.NaN()},
	}}})
	if lo != -8 || hi != 10 {
		t.Errorf("axis from %v to %v, want from -8 to 10: as much again as the greatest", lo, hi)
	}
}

func TestDifferencesOfManyPoliciesFitOnAScreen(t *testing.T) {
	m := made{backends: 2, seeds: 2, bins: 2, whole: true}
	for i := range 21 {
		m.policies = append(m.policies, fmt.Sprintf("p%d", i))
	}
	f := drawDifferences(read(t, m.csv()).points()[0])
	if _, height := f.size(); height > 760 {
		t.Errorf("%v points high, want 760 at most, beside 720 wide", height)
	}
	if _, _, err := encode(f); err != nil {
		t.Error(err)
	}
}

// lottery is a table in which another one of four backends gets 40 % of the RPCs in each run.
func lottery(seeds int) string {
	table := head
	for seed := range seeds {
		for b := range 4 {
			share := 0.2
			if b == seed%4 {
				share = 0.4
			}
			table += fmt.Sprintf("p,%d,share_ratio,backend:b/%d,,%v\n", seed+1, b, share) +
				fmt.Sprintf("p,%d,capacity_share_ratio,backend:b/%d,,0.25\n", seed+1, b)
		}
	}
	return table
}

func TestRandomSkewIsNotAveragedAway(t *testing.T) {
	p := read(t, lottery(20)).points()[0]
	scopes := p.backends("share_ratio")
	names := []string{"b/0", "b/1", "b/2", "b/3"}
	alike := p.alike(scopes, names)
	s := p.sharesOf(0, "share_ratio", scopes, alike)
	for i, want := range []float64{40, 20, 20, 20} { // by backend each has 25 % on the average
		if math.Abs(s.percent[i]-want) > 1e-9 {
			t.Errorf("rank %d: %v %%, want %v", i+1, s.percent[i], want)
		}
	}
	if got := strings.Join(rankNames(names, alike), " "); got != "b/#1 b/#2 b/#3 b/#4" {
		t.Errorf("names %s, want ranks", got)
	}
}

// A backend that can do less than its neighbours keeps its name: who got less is no chance then.
func TestUnlikeBackendsAreNotRanked(t *testing.T) {
	table := head
	for seed := 1; seed <= 2; seed++ {
		for b, capacity := range []float64{0.3, 0.1, 0.3, 0.3} {
			table += fmt.Sprintf("p,%d,share_ratio,backend:b/%d,,0.25\n", seed, b) +
				fmt.Sprintf("p,%d,capacity_share_ratio,backend:b/%d,,%v\n", seed, b, capacity)
		}
	}
	p := read(t, table).points()[0]
	names := []string{"b/0", "b/1", "b/2", "b/3"}
	got := rankNames(names, p.alike(p.backends("share_ratio"), names))
	if text := strings.Join(got, " "); text != "b/0 b/1 b/2-3#1 b/2-3#2" {
		t.Errorf("names %s, want b/1 under its own", text)
	}
}

// One policy that sends all to one backend does not flatten the panels of the others.
func TestAPolicyThatDwarfsOthersHasAnAxisOfItsOwn(t *testing.T) {
	table := head
	for b := range 10 {
		one := 0.0
		if b == 0 {
			one = 1
		}
		table += fmt.Sprintf("even,1,share_ratio,backend:b/%d,,0.1\n", b) +
			fmt.Sprintf("one,1,share_ratio,backend:b/%d,,%v\n", b, one)
	}
	f := drawShare(read(t, table).points()[0])
	svg, _, err := encode(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">10<", ">100<", "axes differ"} { // the tops of the two panels
		if !strings.Contains(string(svg), want) {
			t.Errorf("no %s in the picture", want)
		}
	}
}

// A bin of 100 RPCs has no p99 but nearly a maximum; ten bins have one.
func TestBinsOfFewRPCsAreNoFence(t *testing.T) {
	table := head
	for i := range 200 {
		p99 := 10
		if i%5 == 0 {
			p99 = 90
		}
		table += fmt.Sprintf("p,1,rate_rps,time,%d,100\np,1,p99_ms,time,%d,%d\n", i, i, p99)
	}
	p := read(t, table).points()[0]
	n := p.neighbours(0, 1)
	if n != 10 {
		t.Errorf("%d neighbours, want 10 with 1000 RPCs together", n)
	}
	for _, s := range runningMedian(p.median(0, "p99_ms", "time"), n) {
		if s.Value != 10 {
			t.Fatalf("%v ms at %v s, want 10: one bin of five is not the middle", s.Value, s.X)
		}
	}
}

// Among a thousand backends one that is idle and one that is stuck are seen.
func TestOneOfAThousandBackendsIsSeen(t *testing.T) {
	table := head
	for b := range 1000 {
		inflight := 5
		switch b {
		case 17:
			inflight = 0
		case 700:
			inflight = 200
		}
		table += fmt.Sprintf("p,1,inflight_count,backend:b/%d,0,%d\n", b, inflight)
	}
	p := read(t, table).points()[0]
	var names []string
	for _, scope := range p.backends("inflight_count") {
		names = append(names, backendName(scope))
	}
	rows := groupRows(names)
	grids, _ := p.heatGrids(p.backends("inflight_count"), rows)
	if got := namesOf(rows); strings.Join(got, " ") != "b/most b/90% b/half b/10% b/least" {
		t.Errorf("rows %s", got)
	}
	if got := grids[0].values; !slices.Equal(got, []float64{200, 5, 5, 5, 0}) {
		t.Errorf("values %v, want 200 5 5 5 0", got)
	}
}

// Whoever meets a picture without its folder learns what it is about; and where the time is an
// axis, what was not measured.
func TestEveryPictureSaysWhatItIsAbout(t *testing.T) {
	m := ordinary
	table := m.csv() + "round_robin,1,warmup_s,run,,7\n"
	about := Caption{"slow-node", "Which policies notice?", "lbsim v1"}
	p := read(t, table).points()[0]
	for _, name := range slices.Sorted(maps.Keys(Catalog)) {
		k := Catalog[name]
		f := k.Draw(p)
		f.foot = about.lines(p)
		svg, _, err := encode(f)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"slow-node: Which policies notice?", "seeds 1 to 2", "lbsim v1"}
		if strings.Contains(string(svg), "time since the run began") {
			want = append(want, "warm-up, not measured")
		}
		for _, text := range want {
			if !strings.Contains(string(svg), text) {
				t.Errorf("%s: no %q in the picture", name, text)
			}
		}
	}
	if got := seedText([]uint64{3, 5, 9}); got != "3 seeds from 3 to 9" {
		t.Errorf("seeds: %s", got)
	}
}
