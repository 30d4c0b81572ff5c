package policies

import (
	"slices"
	"strings"
	"testing"
)

// What grpc-go v1.85.0 picks, from its own code run with these weights.
func TestStrideAsGRPC(t *testing.T) {
	for _, row := range []struct {
		weights []float64
		from    uint32
		scaled  []uint16 // nil where all are equal
		picks   string
		counts  []int // of the first 10,000 picks
		steps   uint32
	}{
		{[]float64{10, 100}, 0, []uint16{6554, 65535},
			"111111111011111111110111", []int{909, 9091}, 43},
		{[]float64{100, 10}, 0, []uint16{65535, 6554},
			"000010000000000100000000", []int{9091, 909}, 44},
		{[]float64{1, 2, 3}, 0, []uint16{21845, 43690, 65535},
			"122012122012122012122012", []int{1667, 3333, 5000}, 35},
		{[]float64{10, 100, 20}, 0, []uint16{6554, 65535, 13107},
			"121111121110112111112111", []int{769, 7692, 1539}, 55},
		{[]float64{10, 100, 20, 200}, 0, []uint16{3277, 32768, 6554, 65535},
			"123313313313313231331331", []int{303, 3030, 607, 6060}, 57},
		{[]float64{100, 200}, 0, []uint16{32768, 65535},
			"101101101101101101101101", []int{3333, 6667}, 31},
		{[]float64{80, 80, 100}, 0, []uint16{52428, 52428, 65535},
			"120120201201212012020120", []int{3077, 3077, 3846}, 27},
		{[]float64{3, 1, 1}, 0, []uint16{65535, 21845, 21845},
			"201002010020100201002010", []int{6000, 2000, 2000}, 42},
		{[]float64{1, 2, 0}, 0, []uint16{32768, 65535, 49151},
			"120121201120121201120121", []int{2222, 4445, 3333}, 31},
		{[]float64{1000, 1000, 1}, 0, []uint16{65535, 65535, 66},
			"120101010101010101010101", []int{4997, 4997, 6}, 34},
		{[]float64{1, 1_000_000}, 0, []uint16{0, 65535},
			"111111111111111111111111", []int{0, 10000}, 47},
		{[]float64{1, 0}, 0, nil, "101010101010101010101010", []int{5000, 5000}, 24},
		{[]float64{0, 0, 0}, 0, nil, "120120120120120120120120", []int{3333, 3334, 3333}, 24},
		{[]float64{5, 5, 0}, 0, nil, "120120120120120120120120", []int{3333, 3334, 3333}, 24},
		{[]float64{100, 100}, 0, nil, "101010101010101010101010", []int{5000, 5000}, 24},
		{[]float64{10, 100}, 12345, []uint16{6554, 65535}, "111111011111", nil, 0},
		{[]float64{1, 2, 3}, 1<<32 - 6, []uint16{21845, 43690, 65535}, "212122012122", nil, 0},
		{[]float64{0, 0, 0}, 1<<32 - 6, nil, "201200120120", nil, 0},
		{[]float64{7}, 0, nil, "000", []int{10000}, 0},
	} {
		s := &stride{at: row.from}
		s.schedule(row.weights)
		if !slices.Equal(s.scaled, row.scaled) {
			t.Errorf("%v: scaled %v, want %v", row.weights, s.scaled, row.scaled)
		}
		var picks strings.Builder
		for range len(row.picks) {
			picks.WriteByte('0' + byte(s.next()))
		}
		if picks.String() != row.picks || row.steps > 0 && s.at != row.steps {
			t.Errorf("%v from %d: picks %s in %d steps, want %s in %d", row.weights, row.from,
				&picks, s.at, row.picks, row.steps)
		}
		if row.counts == nil {
			continue
		}
		s.at = 0
		counts := make([]int, len(row.weights))
		for range 10_000 {
			counts[s.next()]++
		}
		if !slices.Equal(counts, row.counts) {
			t.Errorf("%v: counts %v, want %v", row.weights, counts, row.counts)
		}
	}
}

// Over all 65535 rounds each place is picked as often as its scaled weight says, whatever they are.
func TestStrideSharesAreExact(t *testing.T) {
	s := &stride{}
	s.schedule([]float64{1, 1.5, 100, 3e-9, 0, 77})
	want := make([]int, s.n)
	all := 0
	for i, w := range s.scaled {
		want[i] = int(w)
		all += int(w)
	}
	s.at = s.n - 1 // so that a round begins
	got := make([]int, s.n)
	for range all {
		got[s.next()]++
	}
	if !slices.Equal(got, want) {
		t.Errorf("picks %v, want %v", got, want)
	}
}
