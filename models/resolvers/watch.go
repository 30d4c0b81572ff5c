package resolvers

import (
	"errors"
	"slices"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/sim"
)

// watch is the resolution of one channel with a registry: the list when the channel exits idle, and
// each change of it some time later. It ignores hints, since the registry sends all changes, and
// refusals of lists.
type watch struct {
	to models.ResolverConn
	// lookup is the time that the first list takes, delay the time from a change to the client.
	lookup, delay dist.Distribution
	// probes are those of the registry. It lists a backend if all of them pass.
	probes []probe
	// content returns what the client takes from the registry's list; news is false for no change.
	content func(listed func(backend int32) bool) (list []int32, news bool)
	// weights, if not nil, returns the current weights, by number of the backend.
	weights func() []uint32

	listed        []bool                   // by number of the backend
	registrations map[int32][]registration // by backend that has changed, then probe
	sent          *listing                 // the last
	lastArrival   sim.Time                 // when it arrives: changes keep their order
	begun         bool
}

// listing is a list that a client gets.
type listing struct {
	backends []int32
	weights  []uint32 // nil for none
}

func (l *listing) equal(m *listing) bool {
	return m != nil && slices.Equal(l.backends, m.backends) && slices.Equal(l.weights, m.weights)
}

func (l *listing) sendTo(to models.ResolverConn) {
	if l.weights == nil {
		_ = to.UpdateState(l.backends)
	} else {
		_ = to.UpdateWeighted(l.backends, l.weights)
	}
}

// listedOf is the content of a client that takes the backends that the registry lists.
func listedOf(backends []int32) func(listed func(int32) bool) ([]int32, bool) {
	return func(listed func(int32) bool) ([]int32, bool) { return listedIn(backends, listed), true }
}

// start asks for the first list. moments are those at which the content changes by itself.
func (w *watch) start(moments ...sim.Time) {
	n := len(w.to.Backends(nil))
	w.listed, w.registrations = slices.Repeat([]bool{true}, n), make(map[int32][]registration)
	w.after(w.lookup, func() {
		for b := range int32(n) {
			if history := w.to.History(b); len(history) > 0 {
				w.presenceChanged(b, history...)
			}
		}
		w.begun = true
		w.to.Watch(func(b int32, p models.Presence) { w.presenceChanged(b, p) })
		for _, m := range moments {
			if m > w.to.Now() {
				w.to.AfterFunc(m.Sub(w.to.Now()), w.sendList)
			}
		}
		if list, news := w.list(); news {
			w.sent = list
			list.sendTo(w.to)
		}
	})
}

// after calls f after a time; at once if that is 0.
func (w *watch) after(takes dist.Distribution, f func()) {
	if d := takes.Quantile(w.to.Rand().Unit()); d > 0 {
		w.to.AfterFunc(d, f)
		return
	}
	f()
}

// presenceChanged handles a change of a backend.
func (w *watch) presenceChanged(backend int32, changes ...models.Presence) {
	courses := w.registrations[backend]
	if courses == nil {
		courses = make([]registration, len(w.probes))
		w.registrations[backend] = courses
	}
	now := w.to.Now()
	for i := range courses {
		c := &courses[i]
		for _, p := range changes {
			c.change(&w.probes[i], p)
		}
		for _, m := range []sim.Time{c.delistedAt, c.relistedAt} {
			if m > now && m != sim.Never {
				w.to.AfterFunc(m.Sub(now), func() { w.updateListed(backend) })
			}
		}
	}
	w.updateListed(backend)
}

// updateListed sets whether a backend is listed now, and sends the list where that is a change.
func (w *watch) updateListed(backend int32) {
	listed := true
	for i := range w.registrations[backend] {
		listed = listed && w.registrations[backend][i].listed(w.to.Now())
	}
	if w.listed[backend] != listed {
		w.listed[backend] = listed
		if w.begun {
			w.sendList()
		}
	}
}

// sendList sends the current list to the client. Lists do not overtake each other.
func (w *watch) sendList() {
	list, news := w.list()
	if !news || list.equal(w.sent) {
		return
	}
	w.sent = list
	now := w.to.Now()
	w.lastArrival = max(w.lastArrival, now.Add(w.delay.Quantile(w.to.Rand().Unit())))
	w.to.AfterFunc(w.lastArrival.Sub(now), func() { list.sendTo(w.to) })
}

func (w *watch) list() (*listing, bool) {
	backends, news := w.content(func(b int32) bool { return w.listed[b] })
	l := &listing{backends: backends}
	if w.weights != nil {
		l.weights = w.weights()
	}
	return l, news
}

// listedIn returns the listed ones of some backends, in order. It never returns nil, which would
// stand for all.
func listedIn(backends []int32, listed func(int32) bool) []int32 {
	list := []int32{}
	for _, b := range backends {
		if listed(b) {
			list = append(list, b)
		}
	}
	return list
}

// momentsOf returns when steps begin.
func momentsOf[T any](all []step[T]) []sim.Time {
	var moments []sim.Time
	for _, s := range all {
		moments = append(moments, s.at)
	}
	return moments
}

// checkWatch refuses unknown backends and times that are missing.
func checkWatch(backends []string, lookup, delay dist.Distribution, c *models.Config) error {
	switch {
	case lookup == nil:
		return errors.New(`lookup: needs a time, such as "5ms"`)
	case delay == nil:
		return errors.New(`delay: needs a time, such as "5ms"`)
	}
	return checkBackends(backends, c)
}

// share returns the part u, 0 to 1, of a length of time.
func share(of time.Duration, u float64) time.Duration {
	return time.Duration(float64(of) * u)
}
