package sim

import (
	"testing"
	"time"
)

// server is the smallest actor with a life of its own: each event schedules the next, and a
// deadline that is then cancelled, as an RPC does.
type server struct {
	k        *Kernel
	id       ID
	deadline Timer
}

const (
	serverTick Kind = iota
	serverDeadline
)

func newServer(withDeadline bool) (*Kernel, *server) {
	k := New(1)
	s := &server{k: k}
	s.id = k.Register(s)
	if withDeadline {
		s.deadline = k.SetTimeout(time.Second, s.id, serverDeadline, 0)
	}
	k.At(0, s.id, serverTick, 0)
	return k, s
}

func (s *server) Handle(ev Event) {
	if s.deadline != 0 {
		s.k.Cancel(s.deadline)
		s.deadline = s.k.SetTimeout(time.Second, s.id, serverDeadline, ev.Arg)
	}
	s.k.After(1000, s.id, serverTick, ev.Arg+1)
}

func TestAnEventAllocatesNothing(t *testing.T) {
	for _, c := range []struct {
		name         string
		withDeadline bool
	}{{"an event", false}, {"an event, a timer set and a timer cancelled", true}} {
		k, _ := newServer(c.withDeadline)
		k.Run(Never, 1000) // slices grow at the start and stay
		if got := testing.AllocsPerRun(100, func() { k.Run(Never, 1000) }); got != 0 {
			t.Errorf("1000 times %s: %v allocations, want 0", c.name, got)
		}
	}
}

func BenchmarkRunOneActor(b *testing.B) {
	k, _ := newServer(false)
	b.ResetTimer()
	k.Run(Never, b.N)
}

func BenchmarkRunOneActorWithDeadline(b *testing.B) {
	k, _ := newServer(true)
	b.ResetTimer()
	k.Run(Never, b.N)
}

// crowd is many actors that each have one event pending at a random moment, as backends do.
type crowd struct {
	k *Kernel
	r *Rand
}

func (c *crowd) Handle(ev Event) {
	c.k.After(time.Duration(c.r.Uint64()>>40), ev.To, ev.Kind(), ev.Arg)
}

func BenchmarkRunAThousandActors(b *testing.B) {
	k := New(1)
	for range 1000 {
		c := &crowd{k: k, r: k.Rand("crowd")}
		k.At(0, k.Register(c), 0, 0)
	}
	k.Run(Never, 100_000)
	b.ResetTimer()
	k.Run(Never, b.N)
}
