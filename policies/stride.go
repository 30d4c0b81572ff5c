package policies

import "math"

// stride picks from a list, each place in proportion to its weight and as evenly as possible. Its
// only state is a counter: gRPC's static stride scheduler.
//
// The scheduler goes round the list. The greatest weight is scaled to 65535, and a place of scaled
// weight m is picked in m of 65535 rounds and passed over in the others. So two places of weights 1
// and 3 have m = 21845 and 65535: the first is picked in every third round.
//
// Source: grpc-go v1.85.0, balancer/weightedroundrobin/scheduler.go.
type stride struct {
	at     uint32   // 1 more per place picked or passed over; where it starts is set from outside
	n      uint32   // places
	scaled []uint16 // weights by place; empty where all are equal
}

const maxStride = math.MaxUint16

// schedule takes new weights, at least one; 0 counts as the mean of the others. With less than two
// weights above 0 all places count the same.
func (s *stride) schedule(weights []float64) {
	s.n, s.scaled = uint32(len(weights)), s.scaled[:0]
	var sum, most float64
	known := 0
	for _, w := range weights {
		sum += w
		most = max(most, w)
		if w != 0 {
			known++
		}
	}
	if known < 2 {
		return
	}
	factor := maxStride / most
	mean := toStride(factor * (sum / float64(known)))
	equal := true
	for _, w := range weights {
		scaled := mean
		if w != 0 {
			scaled = toStride(factor * w)
		}
		equal = equal && scaled == mean
		s.scaled = append(s.scaled, scaled)
	}
	if equal {
		s.scaled = s.scaled[:0]
	}
}

// toStride rounds a scaled weight, which may exceed the range by a rounding error.
func toStride(x float64) uint16 { return uint16(min(math.Round(x), maxStride)) }

// next returns the place that is picked next.
func (s *stride) next() int {
	if len(s.scaled) == 0 {
		s.at++
		return int(s.at % s.n)
	}
	for {
		s.at++
		place, round := s.at%s.n, uint64(s.at/s.n)
		weight := uint64(s.scaled[place])
		// Neighbours are half a cycle out of step, so that two of equal weight are not passed over
		// in the same round.
		if (weight*round+uint64(place)*(maxStride/2))%maxStride >= maxStride-weight {
			return int(place)
		}
	}
}
