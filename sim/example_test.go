package sim_test

import (
	"fmt"
	"time"

	"lbsim/sim"
)

// What can happen to a desk and to its clerk.
const (
	arrive sim.Kind = iota
	served
)

// customer is one who waits: who it is and since when.
type customer struct {
	number uint32
	came   sim.Time
}

// desk is a queue with one clerk who needs 3 ms for each customer. Customers come every 2 ms.
type desk struct {
	k       *sim.Kernel
	id      sim.ID
	waiting []customer
	busy    bool
}

func (d *desk) Handle(ev sim.Event) {
	switch ev.Kind() {
	case arrive:
		d.waiting = append(d.waiting, customer{ev.Arg, d.k.Now()})
		if ev.Arg < 4 {
			d.k.After(2*time.Millisecond, d.id, arrive, ev.Arg+1)
		}
	case served:
		d.busy = false
		fmt.Printf("%v: customer %d leaves\n", d.k.Now(), ev.Arg)
	}
	if !d.busy && len(d.waiting) > 0 {
		next := d.waiting[0]
		d.waiting = d.waiting[1:]
		d.busy = true
		waited := d.k.Now().Sub(next.came)
		fmt.Printf("%v: customer %d, who waited %v\n", d.k.Now(), next.number, waited)
		d.k.After(3*time.Millisecond, d.id, served, next.number)
	}
}

// A queue with constant gaps and constant service: each customer waits a millisecond longer.
func Example() {
	k := sim.New(1)
	d := &desk{k: k}
	d.id = k.Register(d)
	k.At(0, d.id, arrive, 1)
	k.Run(sim.Time(time.Second), 1000)
	fmt.Println(k.Events(), "events")
	// Output:
	// 0s: customer 1, who waited 0s
	// 3ms: customer 1 leaves
	// 3ms: customer 2, who waited 1ms
	// 6ms: customer 2 leaves
	// 6ms: customer 3, who waited 2ms
	// 9ms: customer 3 leaves
	// 9ms: customer 4, who waited 3ms
	// 12ms: customer 4 leaves
	// 8 events
}

// player hits the ball back to the other player; a miss is a timer that nobody cancelled.
type player struct {
	k     *sim.Kernel
	name  string
	other sim.ID
	miss  *sim.Timer // shared: that of the ball in flight
}

const (
	ball sim.Kind = iota
	missed
)

func (p *player) Handle(ev sim.Event) {
	if ev.Kind() == missed {
		fmt.Printf("%v: %s missed the ball\n", p.k.Now(), p.name)
		return
	}
	if *p.miss != 0 {
		p.k.Cancel(*p.miss)
	}
	fmt.Printf("%v: %s\n", p.k.Now(), p.name)
	flight := time.Duration(ev.Arg) * time.Millisecond // each is longer than the last
	p.k.After(flight, p.other, ball, ev.Arg+25)
	*p.miss = p.k.SetTimer(50*time.Millisecond, p.other, missed, 0)
}

// A timer is an event that is usually cancelled: here, when the ball comes back within 50 ms.
func ExampleKernel_SetTimer() {
	k := sim.New(1)
	var miss sim.Timer
	ping := &player{k: k, name: "ping", miss: &miss}
	pong := &player{k: k, name: "pong", miss: &miss}
	pong.other = k.Register(ping)
	ping.other = k.Register(pong)
	k.At(0, pong.other, ball, 10)
	k.Run(sim.Time(100*time.Millisecond), 1000)
	// Output:
	// 0s: ping
	// 10ms: pong
	// 45ms: ping
	// 95ms: pong missed the ball
}

func ExampleKernel_AfterFunc() {
	k := sim.New(1)
	var tick func()
	tick = func() {
		fmt.Println("tick at", k.Now())
		k.AfterFunc(250*time.Millisecond, tick)
	}
	tick()
	alarm := k.AfterFunc(time.Second, func() { fmt.Println("never heard") })
	k.Run(sim.Time(600*time.Millisecond), 1000)
	fmt.Println("stopped in time:", alarm.Stop())
	// Output:
	// tick at 0s
	// tick at 250ms
	// tick at 500ms
	// stopped in time: true
}

// A stream depends on the seed and its name alone, not on what others draw.
func ExampleNewRand() {
	arrivals := sim.NewRand(1, "client/3/arrivals")
	picks := sim.NewRand(1, "client/3/picks")
	fmt.Println(arrivals.IntN(100), arrivals.IntN(100), arrivals.IntN(100))
	fmt.Println(picks.IntN(100), picks.IntN(100), picks.IntN(100))
	// Output:
	// 8 2 8
	// 18 70 28
}

// Luck travels with a request: each use of it has a salt, and a further use shifts no other.
func ExampleMix() {
	const saltWork, saltDelay = 1, 2
	luck := sim.Mix(1, 1000) // of request 1000 in the run with seed 1
	fmt.Printf("%.3f of the work, %.3f of the delay\n",
		sim.Unit(sim.Mix(luck, saltWork)), sim.Unit(sim.Mix(luck, saltDelay)))
	// Output:
	// 0.801 of the work, 0.616 of the delay
}
