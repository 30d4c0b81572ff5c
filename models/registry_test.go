package models

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// watcher is a Resolver that writes down what the registry tells.
type watcher struct{ log *[]string }

func (watcher) Doc() string         { return "what the registry tells" }
func (watcher) Check(*Config) error { return nil }

func (o watcher) Start(to ResolverConn) Resolution {
	_ = to.UpdateState(nil)
	to.Watch(func(b int32, p Presence) {
		if !slices.Contains(to.History(b), p) || p.Luck == 0 {
			panic("the news is not what the registry knows")
		}
		text := fmt.Sprintf("%v: %d up %v graceful %v", to.Now(), b, p.Up, p.Graceful)
		for _, o := range []struct {
			is   bool
			what string
		}{
			{p.Cut, " cut"}, {p.Refuses, " refuses"}, {p.Mute, " mute"},
			{p.NotServing, " not serving"},
		} {
			if o.is {
				text += o.what
			}
		}
		*o.log = append(*o.log, text)
	})
	return nil
}

func watchedWorld(log *[]string, addresses ...Label) *World {
	w := New(&Config{
		Seed: 1, Duration: time.Hour, Bin: time.Hour,
		Clients: []ClientGroup{{Name: "c", Count: 1, Rate: 1, Arrivals: EvenArrivals, Requests: 1}},
		Backends: []BackendGroup{{Name: "b", Count: 2, Workers: 1,
			Speed: 1, Weight: 1, ZoneWeight: 1, Service: ms(1),
			Addresses: addresses}},
		Network:  Network{Delay: ms(1)},
		Resolver: watcher{log},
		Policy:   policies.RoundRobin{},
	})
	w.k.Run(sim.Time(time.Second), 1000)
	return w
}

// A backend that is down a second time, or not back as often as it went down, is no news.
func TestRegistryTellsOfProcesses(t *testing.T) {
	var log []string
	w := watchedWorld(&log)
	w.Crash(1)
	w.Crash(1)
	if log != nil {
		t.Errorf("notified in the middle of the crash: %q", log)
	}
	w.k.Run(sim.Time(2*time.Second), 1000)
	w.Restart(1)
	w.k.Run(sim.Time(3*time.Second), 1000)
	w.Restart(1)
	w.Stop(0)
	w.k.Run(sim.Time(4*time.Second), 1000)
	w.Restart(0)
	w.k.Run(sim.Time(5*time.Second), 1000)
	want := []string{
		"1s: 1 up false graceful false",
		"3s: 1 up true graceful false", "3s: 0 up false graceful true",
		"4s: 0 up true graceful false",
	}
	if !slices.Equal(log, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(log, "\n"), strings.Join(want, "\n"))
	}
}

// What is wrong with a backend that runs is news too, once each.
func TestRegistryTellsOfTrouble(t *testing.T) {
	var log []string
	w := watchedWorld(&log, 1, 0) // IPv6, IPv4: the numbers are 0 and 1 of the first backend
	for i, f := range []func(){
		func() { w.Blackhole(0) }, // IPv4 still works
		func() { w.Refuse(1) },    // what is not cut off refuses
		func() { w.Blackhole(1) },
		func() { w.Stop(0) }, // its leave is not seen
		func() { w.Unblackhole(0); w.Unblackhole(1) },
		func() { w.Unrefuse(1) }, // IPv6 has accepted all the time
		func() { w.Restart(0) },
		func() { w.Mute(0); w.Mute(0); w.SetNotServing(0); w.SetNotServing(0) },
		func() { w.Unmute(0); w.SetServing(0) },
		func() { w.Unmute(0); w.SetServing(0) },
	} {
		f()
		w.k.Run(sim.Time(i+2)*sim.Time(time.Second), 1000)
	}
	want := []string{
		"2s: 0 up true graceful false refuses",
		"3s: 0 up true graceful false cut",
		"4s: 0 up false graceful false cut",
		"5s: 0 up false graceful false",
		"7s: 0 up true graceful false",
		"8s: 0 up true graceful false mute",
		"8s: 0 up true graceful false mute not serving",
		"10s: 0 up true graceful false not serving",
		"10s: 0 up true graceful false",
	}
	if !slices.Equal(log, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(log, "\n"), strings.Join(want, "\n"))
	}
}

// A channel that goes idle closes its resolution. Nothing comes of what that has planned.
func TestAClosedResolutionIsSilent(t *testing.T) {
	var log []string
	w := watchedWorld(&log)
	r := w.clients[0].channel.resolver
	r.AfterFunc(time.Second, func() { t.Errorf("a call was made after the end") })
	w.Crash(0)
	r.close()
	w.Crash(1)
	r.ReportError("too late")
	if err := r.UpdateState([]int32{}); err != nil {
		t.Errorf("an update after the end: error %v, want none", err)
	}
	w.k.Run(sim.Time(time.Minute), 1000)
	if log != nil || len(w.registry.watches) != 0 {
		t.Errorf("got %q, %d watches; want neither", log, len(w.registry.watches))
	}
}
