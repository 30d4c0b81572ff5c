package policies_test

import (
	"strconv"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
	"lbsim/sim"
)

// step is a command and the answer that is wanted.
type step = policytest.Step

type states = []policies.Connectivity

const (
	idle       = policies.Idle
	connecting = policies.Connecting
	ready      = policies.Ready
	failing    = policies.TransientFailure
)

var refused = &policies.Status{Code: policies.Unavailable, Text: "refused"}

// keyed is the header in which RPCs have their key.
const keyed = "x-key"

// playAll plays steps to a new balancer, built with the words that follow "build policy=".
func playAll(t *testing.T, policy string, steps []step) {
	t.Helper()
	policytest.PlaySteps(t, policies.Catalog, policy, steps)
}

// readyHost returns a host on which n endpoints, "0" to n-1, are READY.
func readyHost(p policies.Policy, n int, seed uint64) *policytest.Host {
	h := policytest.NewHost(p, seed)
	names := make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	h.Resolve(h.Endpoints(names...)...)
	policies.WakeAll(h.Balancer)
	h.Settle()
	h.ConnectAll()
	return h
}

// draw rewinds the balancer's chance to a place from which the draws to come are those wanted.
func draw(h *policytest.Host, wanted func(r *sim.Rand) bool) {
	for seed := uint64(0); ; seed++ {
		if r := sim.NewRand(seed, "wanted"); wanted(r) {
			*h.Rand() = *sim.NewRand(seed, "wanted")
			return
		}
	}
}

// drawMod makes the next words, modulo n, those wanted.
func drawMod(h *policytest.Host, n uint32, wanted ...uint32) {
	draw(h, func(r *sim.Rand) bool {
		for _, w := range wanted {
			if r.Uint32()%n != w {
				return false
			}
		}
		return true
	})
}
