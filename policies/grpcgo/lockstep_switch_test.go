package grpcgo

import (
	"testing"
	"unsafe"

	"lbsim/policies"
)

// Of gracefulSwitch, which other policies have inside them, lbsim's part by itself. grpc-go's is
// random_subsetting of a subset that has room for all: it passes everything on to its
// gracefulswitch.

//go:linkname newGracefulSwitch lbsim/policies.newGracefulSwitch
func newGracefulSwitch(h policies.Host) unsafe.Pointer

//go:linkname switchUpdate lbsim/policies.(*gracefulSwitch).Update
func switchUpdate(g unsafe.Pointer, s policies.State) error

//go:linkname switchError lbsim/policies.(*gracefulSwitch).ResolverError
func switchError(g unsafe.Pointer, err *policies.Status)

//go:linkname switchSubConnState lbsim/policies.(*gracefulSwitch).SubConnState
func switchSubConnState(
	g unsafe.Pointer, sc policies.SubConn, c policies.Connectivity, err *policies.Status)

//go:linkname switchHealthState lbsim/policies.(*gracefulSwitch).HealthState
func switchHealthState(
	g unsafe.Pointer, sc policies.SubConn, c policies.Connectivity, err *policies.Status)

//go:linkname switchExitIdle lbsim/policies.(*gracefulSwitch).ExitIdle
func switchExitIdle(g unsafe.Pointer)

//go:linkname switchClose lbsim/policies.(*gracefulSwitch).Close
func switchClose(g unsafe.Pointer)

// switched is a policy whose child is another at each update.
type switched struct{ child policies.Policy }

func (switched) Doc() string { return "a policy that is replaced by another" }

func (switched) Build(h policies.Host) policies.Balancer {
	h.Rand().Uint64() // the seed of the subsets
	return &switching{newGracefulSwitch(h)}
}

type switching struct{ g unsafe.Pointer }

func (s *switching) Update(st policies.State) error {
	st.Policy = st.Policy.(switched).child
	return switchUpdate(s.g, st)
}

func (s *switching) ResolverError(err *policies.Status) { switchError(s.g, err) }
func (s *switching) ExitIdle()                          { switchExitIdle(s.g) }
func (s *switching) Close()                             { switchClose(s.g) }

func (s *switching) SubConnState(
	sc policies.SubConn, c policies.Connectivity, err *policies.Status,
) {
	switchSubConnState(s.g, sc, c, err)
}

func (s *switching) HealthState(
	sc policies.SubConn, c policies.Connectivity, err *policies.Status,
) {
	switchHealthState(s.g, sc, c, err)
}

func (s *switching) LoadReport(policies.SubConn, *policies.Load) {}

func TestGracefulSwitchInLockstep(t *testing.T) {
	config := func(child string) string {
		return `{"subsetSize":1000,"childPolicy":[` + child + `]}`
	}
	// Endpoints have one address each, or the old policy and the new one would wait 250 ms at once,
	// and it would be chance which of them comes first to the next address.
	(&pair{name: "random_subsetting_experimental", addresses: singles[:5],
		health: true, nested: true,
		races: true, configs: []pairConfig{
			{config(`{"tapped_round_robin":{}}`), switched{policies.RoundRobin{}}},
			{config(`{"pick_first":{}}`), switched{policies.PickFirst{}}},
			{config(`{"tapped_least_request_experimental":{"choiceCount":3}}`),
				switched{policies.LeastRequest{ChoiceCount: 3}}},
		}}).lockstep(t)
}
