package grpcgo

import (
	"cmp"
	"reflect"
	"testing"
	"testing/synctest"

	"lbsim/internal/compared"
	"lbsim/sim"
)

// aMillionPicks compares pick for pick. Most of them are to go to a connection, and to one of many.
func (p *pair) aMillionPicks(t *testing.T) {
	t.Helper()
	const n, seed = 1e6, 1
	synctest.Test(t, func(*testing.T) {
		d := p.newDuel(seed)
		defer d.close()
		sent, on, err := d.picks(n, sim.NewRand(seed, "script"))
		if err != nil {
			t.Error(err)
		} else if sent < n/2 || !p.fewConnections && on < 10*len(p.addresses) {
			t.Errorf("only %d of %d picks were sent, on %d connections", sent, int(n), on)
		}
	})
	p.note(t, n, "picks")
}

// note takes down what was compared of the policy.
func (p *pair) note(t *testing.T, n int, what string) {
	t.Helper()
	kind := shipped.KindOf(p.configs[0].ours)
	compared.Note(t, cmp.Or(kind, reflect.TypeOf(p.configs[0].ours).Name()), n, what)
}
