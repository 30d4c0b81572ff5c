package policies

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// stage is where policies that do as they are told stand in for children.
type stage struct {
	*fakeHost
	puppets []*puppetBalancer // in the order in which they were built
}

// puppet is a policy that does as it is told; so is doll, of another kind.
type puppet struct{ on *stage }

type doll struct{ on *stage }

func (puppet) Doc() string             { return "does as it is told" }
func (doll) Doc() string               { return "does as it is told" }
func (p puppet) Build(h Host) Balancer { return p.on.add(h) }
func (d doll) Build(h Host) Balancer   { return d.on.add(h) }

// puppetBalancer writes down what it is told. Its picker sends to a SubConn of its number, which
// need not be.
type puppetBalancer struct {
	Host
	name string // puppet 0 and so on
	sc   SubConn
	told []string
	// says are the states that it reports inside its next Update, which ends with err.
	says []Connectivity
	err  error
}

func (s *stage) add(h Host) Balancer {
	n := len(s.puppets)
	p := &puppetBalancer{Host: h, name: fmt.Sprint("puppet ", n), sc: SubConn(n)}
	s.puppets = append(s.puppets, p)
	return p
}

func (p *puppetBalancer) tell(format string, args ...any) {
	p.told = append(p.told, fmt.Sprintf(format, args...))
}

func (p *puppetBalancer) take() string {
	told := strings.Join(p.told, "; ")
	p.told = nil
	return told
}

func (p *puppetBalancer) say(states ...Connectivity) {
	for _, c := range states {
		p.UpdateState(c, p.picker(c))
	}
}

func (p *puppetBalancer) picker(c Connectivity) Picker {
	switch c {
	case Ready:
		return fixed(Send(p.sc))
	case TransientFailure:
		return fixed(Fail(&Status{Code: Unavailable, Text: p.name}))
	}
	return queue
}

func (p *puppetBalancer) Update(s State) error {
	var names []string
	for _, e := range s.Endpoints {
		names = append(names, strings.Join(append([]string{e.Addresses[0].Text}, e.Path...), "/"))
	}
	p.tell("update %v", names)
	p.say(p.says...)
	p.says = nil
	return p.err
}

func (p *puppetBalancer) ResolverError(e *Status)                     { p.tell("error %s", e.Text) }
func (p *puppetBalancer) ExitIdle()                                   { p.tell("exit idle") }
func (p *puppetBalancer) Close()                                      { p.tell("close") }
func (p *puppetBalancer) SubConnState(SubConn, Connectivity, *Status) {}
func (p *puppetBalancer) HealthState(SubConn, Connectivity, *Status)  {}
func (p *puppetBalancer) LoadReport(SubConn, *Load)                   {}

var errUseless = errors.New("useless")

// onStage builds a policy whose children may be puppets.
func onStage(make func(s *stage) Policy) *stage {
	s := new(stage)
	s.fakeHost = newFakeHost(make(s), 1)
	return s
}

// say has a puppet report states, and returns what came of it.
func (s *stage) say(puppet int, states ...Connectivity) string {
	s.puppets[puppet].say(states...)
	s.settle()
	return s.came()
}

// update brings options, and one endpoint for each path.
func (s *stage) update(p Policy, paths ...string) string {
	var list []*Endpoint
	for i, path := range paths {
		e := s.endpoint(fmt.Sprint(i))
		e.Path = strings.Split(path, "/")
		list = append(list, e)
	}
	if err := s.b.Update(State{Endpoints: list, Policy: p}); err != nil {
		return err.Error()
	}
	s.settle()
	return s.came()
}

// came returns what the balancer asked for since the last time.
func (s *stage) came() string {
	var all []string
	for _, c := range s.take() {
		all = append(all, strings.TrimPrefix(c.text, "report "))
	}
	return strings.Join(all, ", ")
}

// picked says where a pick goes: to the picker of a puppet, or nowhere.
func (s *stage) picked() string {
	switch p := s.pick(); p.Verdict {
	case Sent:
		return s.puppets[p.SubConn].name
	case Failed:
		return "fails: " + p.Status.Text
	}
	return "waits"
}

// expect compares.
func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %q, want %q", what, got, want)
	}
}
