package policies

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// WeightedTarget divides RPCs at random among children by weight. A child has the endpoints whose
// path begins with its name. While any child is READY the others get no RPC.
//
// Source: grpc-go v1.85.0, balancer/weightedtarget (gRFC A28).
//
// Reacts to: the states of its children, and new weights.
//
// Traps: a child in IDLE, such as a pick_first that has lost its connection, gets no RPC, so
// nothing makes it connect. A weight of 0 gets nothing unless all READY children have the same
// weight. A new weight counts from the next report on. A child of another kind replaces the old one
// at once, not gracefully. Children are in alphabetical order, where grpc-go has the order of a Go
// map.
type WeightedTarget struct {
	// Targets are the children by name.
	Targets map[string]Target `toml:"targets" json:"targets"`
}

// Target is a child of [WeightedTarget].
type Target struct {
	// Weight is its share of the RPCs relative to the other weights; 0 by default, as in grpc-go.
	Weight uint32 `toml:"weight" json:"weight"`
	// Child is its policy.
	Child Policy `toml:"child" json:"childPolicy"`
}

// Uses asks for several targets with endpoints each.
func (w WeightedTarget) Uses() []Use {
	var uses []Use
	if len(w.Targets) == 1 {
		uses = append(uses, Use{Option: "targets", Without: "there is one, and nothing to divide"})
	}
	for _, name := range sortedNames(w.Targets) {
		uses = append(uses, Use{
			What: Child, Option: "targets", Name: name, Without: "RPCs never go there",
		})
		uses = append(uses, below(name, w.Targets[name].Child)...)
	}
	return uses
}

// Doc describes the policy in a line.
func (WeightedTarget) Doc() string { return "children at random, by weight" }

// Check refuses a target without a policy. grpc-go's parser accepts one, and its channel panics.
func (w WeightedTarget) Check() error {
	for _, name := range sortedNames(w.Targets) {
		if w.Targets[name].Child == nil {
			return Unworkable(fmt.Sprintf("targets.%s.child: must be a policy", name))
		}
	}
	return nil
}

// Build makes the balancer of one channel.
func (w WeightedTarget) Build(h Host) Balancer {
	return &weightedTarget{group: newGroup(h), policy: w}
}

// weightedTarget is its own picker, with the items of the last report.
type weightedTarget struct {
	group
	policy  WeightedTarget
	targets []*target // in the order of their names
	muted   bool      // Update is running: reports are kept and not passed on
	changed bool      // since Update began: a child has reported, or the targets have changed

	items []item // to pick from, as reported last; empty in IDLE
	equal bool   // all items have the same weight
	notes pickNotes
}

type target struct {
	*child
	policy Policy
	weight uint32
	before Connectivity // of its last report
	// counted is the state that counts for the whole: the last report, but CONNECTING right after
	// TRANSIENT_FAILURE does not change it.
	counted Connectivity
}

// item is a child's picker.
type item struct {
	picker Picker
	until  int64 // sum of the weights up to its own, inclusive
}

// Update adds and removes targets, gives each its endpoints and reports once. Errors of children
// are not passed on.
func (w *weightedTarget) Update(s State) error {
	if p, ok := s.Policy.(WeightedTarget); ok {
		w.policy = p
	}
	w.update(divide(sortedNames(w.policy.Targets), s.Endpoints))
	return nil
}

// update takes a share for each target of the policy.
func (w *weightedTarget) update(shares []share) {
	w.muted, w.changed = true, false
	w.targets = slices.DeleteFunc(w.targets, func(t *target) bool {
		_, kept := w.policy.Targets[t.name]
		if !kept {
			w.remove(t.child)
			w.changed = true
		}
		return !kept
	})
	for _, s := range inOrder(&w.group, shares, share.of) {
		w.target(s.name).balancer.Update(State{
			Endpoints: s.endpoints, Policy: w.policy.Targets[s.name].Child,
		})
	}
	w.muted = false
	if w.changed || len(w.targets) == 0 {
		w.publish()
	}
}

// target returns the target of a name with the weight and kind of the policy.
func (w *weightedTarget) target(name string) *target {
	want := w.policy.Targets[name]
	i, found := slices.BinarySearchFunc(w.targets, name, func(t *target, name string) int {
		return strings.Compare(t.name, name)
	})
	if found {
		t := w.targets[i]
		t.weight = want.Weight
		if sameKind(t.policy, want.Child) {
			t.policy = want.Child
			return t
		}
		w.remove(t.child)
		w.targets = slices.Delete(w.targets, i, i+1)
	}
	w.changed = true
	t := &target{
		child: w.add(w, name), policy: want.Child, weight: want.Weight,
		before: Connecting, counted: Connecting,
	}
	w.targets = slices.Insert(w.targets, i, t)
	t.balancer = want.Child.Build(t.child)
	return t
}

// reported takes a report of a child and reports the state of all.
func (w *weightedTarget) reported(c *child) {
	t := w.targets[slices.IndexFunc(w.targets, func(t *target) bool { return t.child == c })]
	if t.before != TransientFailure || c.state != Connecting {
		t.counted = c.state
	}
	t.before = c.state
	w.changed = true
	if !w.muted {
		w.publish()
	}
}

// publish reports the best state of any child, in the order READY, CONNECTING, IDLE,
// TRANSIENT_FAILURE.
func (w *weightedTarget) publish() {
	if len(w.targets) == 0 {
		w.UpdateState(TransientFailure, fixed(Fail(errNoTargets)))
		return
	}
	best := TransientFailure
	for _, t := range w.targets {
		best = better(best, t.counted)
	}
	if best == Connecting {
		w.UpdateState(best, queue)
		return
	}
	w.choose(best)
	w.UpdateState(best, w)
}

// errNoTargets is the failure of a weighted_target without targets.
var errNoTargets = &Status{
	Code:   Unavailable,
	Text:   "weighted-target: no targets to pick from",
	Reason: NoChildren,
}

// better returns the better of two states.
func better(a, b Connectivity) Connectivity {
	rank := [...]int{Ready: 3, Connecting: 2, Idle: 1, TransientFailure: 0}
	if rank[a] > rank[b] {
		return a
	}
	return b
}

// choose sets the items: the pickers of READY children, of all children in TRANSIENT_FAILURE, and
// none in IDLE.
func (w *weightedTarget) choose(state Connectivity) {
	clear(w.items)
	w.items, w.equal = w.items[:0], true
	var sum int64
	var last uint32
	for _, t := range w.targets {
		if state != TransientFailure && t.counted != Ready {
			continue
		}
		w.equal = w.equal && (len(w.items) == 0 || t.weight == last)
		last = t.weight
		sum += int64(t.weight)
		w.items = append(w.items, item{t.picker, sum})
	}
}

// Pick asks the picker of a child that is drawn by weight.
func (w *weightedTarget) Pick(c Call) Pick {
	if len(w.items) == 0 {
		return Queue()
	}
	var i int
	if w.equal {
		i = int(w.Rand().Int64N(int64(len(w.items))))
	} else {
		drawn := w.Rand().Int64N(w.items[len(w.items)-1].until)
		i, _ = slices.BinarySearchFunc(w.items, drawn+1, func(t item, sum int64) int {
			return cmp.Compare(t.until, sum)
		})
	}
	by := w.items[i].picker
	p := by.Pick(c)
	if p.Verdict == Sent {
		p = w.notes.keep(by, p, 0)
	}
	return p
}

// Done goes to the picker that sent the RPC.
func (w *weightedTarget) Done(p Pick, o Outcome) { w.notes.done(p, o) }
