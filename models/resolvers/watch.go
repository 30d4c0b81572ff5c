package resolvers

import (
	"errors"
	"slices"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/sim"
)

// watch follows a registry for one channel: it gets the list when the channel leaves idle and each
// change of it some time after. A registry ignores hints, for it tells whatever there is to tell,
// and the policy's word that a list is of no use.
type watch struct {
	to models.ResolverConn
	// lookup is the time that the first list takes, delay the time from a change to the client.
	lookup, delay dist.Distribution
	// probes are what the registry goes by: it lists a backend with which all of them are content.
	probes []probe
	// content is what the client makes of the registry's list, or nothing new.
	content func(listed func(backend int32) bool) (list []int32, news bool)
	// weights, if not nil, are those of now, by number of the backend.
	weights func() []uint32

	listed  []bool             // by number of the backend
	courses map[int32][]course // of the probes, for backends that something has befallen
	sent    *listing           // the last
	at      sim.Time           // when it arrives: changes keep their order
	begun   bool
}

// listing is what a client learns.
type listing struct {
	backends []int32
	weights  []uint32 // nil for none
}

func (l *listing) equal(m *listing) bool {
	return m != nil && slices.Equal(l.backends, m.backends) && slices.Equal(l.weights, m.weights)
}

func (l *listing) tell(to models.ResolverConn) {
	if l.weights == nil {
		_ = to.UpdateState(l.backends)
	} else {
		_ = to.UpdateWeighted(l.backends, l.weights)
	}
}

// listedOf is the content of a client that takes those of the backends that the registry lists.
func listedOf(backends []int32) func(listed func(int32) bool) ([]int32, bool) {
	return func(listed func(int32) bool) ([]int32, bool) { return those(backends, listed), true }
}

// start asks for the first list. The moments are those at which the content changes by itself.
func (w *watch) start(moments ...sim.Time) {
	n := len(w.to.Backends(nil))
	w.listed, w.courses = slices.Repeat([]bool{true}, n), make(map[int32][]course)
	w.soon(w.lookup, func() {
		for b := range int32(n) {
			if history := w.to.History(b); len(history) > 0 {
				w.see(b, history...)
			}
		}
		w.begun = true
		w.to.Watch(func(b int32, p models.Presence) { w.see(b, p) })
		for _, m := range moments {
			if m > w.to.Now() {
				w.to.AfterFunc(m.Sub(w.to.Now()), w.changed)
			}
		}
		if list, news := w.list(); news {
			w.sent = list
			list.tell(w.to)
		}
	})
}

// soon calls f at once where it takes no time.
func (w *watch) soon(takes dist.Distribution, f func()) {
	if d := takes.Quantile(w.to.Rand().Unit()); d > 0 {
		w.to.AfterFunc(d, f)
		return
	}
	f()
}

// see takes in what has befallen a backend, in its order.
func (w *watch) see(backend int32, changes ...models.Presence) {
	courses := w.courses[backend]
	if courses == nil {
		courses = make([]course, len(w.probes))
		w.courses[backend] = courses
	}
	now := w.to.Now()
	for i := range courses {
		c := &courses[i]
		for _, p := range changes {
			c.change(&w.probes[i], p)
		}
		for _, m := range []sim.Time{c.gone, c.back} {
			if m > now && m != sim.Never {
				w.to.AfterFunc(m.Sub(now), func() { w.look(backend) })
			}
		}
	}
	w.look(backend)
}

// look sees whether a backend is listed now.
func (w *watch) look(backend int32) {
	listed := true
	for i := range w.courses[backend] {
		listed = listed && w.courses[backend][i].listed(w.to.Now())
	}
	if w.listed[backend] != listed {
		w.listed[backend] = listed
		if w.begun {
			w.changed()
		}
	}
}

// changed sends the client the list of now. Lists do not overtake each other.
func (w *watch) changed() {
	list, news := w.list()
	if !news || list.equal(w.sent) {
		return
	}
	w.sent = list
	now := w.to.Now()
	w.at = max(w.at, now.Add(w.delay.Quantile(w.to.Rand().Unit())))
	w.to.AfterFunc(w.at.Sub(now), func() { list.tell(w.to) })
}

func (w *watch) list() (*listing, bool) {
	backends, news := w.content(func(b int32) bool { return w.listed[b] })
	l := &listing{backends: backends}
	if w.weights != nil {
		l.weights = w.weights()
	}
	return l, news
}

// those returns the backends that are listed, in their order; not nil, which would stand for all.
func those(backends []int32, listed func(int32) bool) []int32 {
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

// share is the part u of a length of time, 0 to 1.
func share(of time.Duration, u float64) time.Duration {
	return time.Duration(float64(of) * u)
}
