package policies_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// stage is where policies that only do as a test says stand in for children.
type stage struct {
	*policytest.Host
	puppets []*puppetBalancer // in the order in which they were built
}

// puppet is a policy that does as a test says; so is doll, of another kind.
type puppet struct{ on *stage }

type doll struct{ on *stage }

func (puppet) Doc() string                               { return "does as a test says" }
func (doll) Doc() string                                 { return "does as a test says" }
func (p puppet) Build(h policies.Host) policies.Balancer { return p.on.add(h) }
func (d doll) Build(h policies.Host) policies.Balancer   { return d.on.add(h) }

// puppetBalancer writes down the calls that it gets. Its picker sends to a SubConn of its number,
// which need not be.
type puppetBalancer struct {
	policies.Host
	name string // puppet 0 and so on
	sc   policies.SubConn
	log  []string
	// says are the states that it reports inside its next Update, which ends with err.
	says states
	err  error
}

func (s *stage) add(h policies.Host) policies.Balancer {
	n := len(s.puppets)
	p := &puppetBalancer{Host: h, name: fmt.Sprint("puppet ", n), sc: policies.SubConn(n)}
	s.puppets = append(s.puppets, p)
	return p
}

func (p *puppetBalancer) tell(format string, args ...any) {
	p.log = append(p.log, fmt.Sprintf(format, args...))
}

func (p *puppetBalancer) take() string {
	log := strings.Join(p.log, "; ")
	p.log = nil
	return log
}

func (p *puppetBalancer) say(states ...policies.Connectivity) {
	for _, c := range states {
		p.UpdateState(c, p.picker(c))
	}
}

func (p *puppetBalancer) picker(c policies.Connectivity) policies.Picker {
	switch c {
	case policies.Ready:
		return answer(policies.Send(p.sc))
	case policies.TransientFailure:
		return answer(policies.Fail(&policies.Status{Code: policies.Unavailable, Text: p.name}))
	}
	return answer(policies.Queue())
}

func (p *puppetBalancer) Update(s policies.State) error {
	var names []string
	for _, e := range s.Endpoints {
		names = append(names, strings.Join(append([]string{e.Addresses[0].Text}, e.Path...), "/"))
	}
	p.tell("update %v", names)
	p.say(p.says...)
	p.says = nil
	return p.err
}

func (p *puppetBalancer) ResolverError(e *policies.Status) { p.tell("error %s", e.Text) }
func (p *puppetBalancer) ExitIdle()                        { p.tell("exit idle") }
func (p *puppetBalancer) Close()                           { p.tell("close") }

func (p *puppetBalancer) SubConnState(policies.SubConn, policies.Connectivity, *policies.Status) {}
func (p *puppetBalancer) HealthState(policies.SubConn, policies.Connectivity, *policies.Status)  {}
func (p *puppetBalancer) LoadReport(policies.SubConn, *policies.Load)                            {}

// answer is a picker that gives every RPC the same answer.
type answer policies.Pick

func (a answer) Pick(policies.Call) policies.Pick   { return policies.Pick(a) }
func (answer) Done(policies.Pick, policies.Outcome) {}

var errUseless = errors.New("useless")

// onStage builds a policy whose children may be puppets.
func onStage(make func(s *stage) policies.Policy) *stage {
	s := new(stage)
	s.Host = policytest.NewHost(make(s), 1)
	return s
}

// say has a puppet report states, and returns what came of it.
func (s *stage) say(puppet int, states ...policies.Connectivity) string {
	s.puppets[puppet].say(states...)
	s.Settle()
	return s.came()
}

// update brings options, and one endpoint for each path.
func (s *stage) update(p policies.Policy, paths ...string) string {
	var list []*policies.Endpoint
	for i, path := range paths {
		e := s.Endpoint(fmt.Sprint(i))
		e.Path = strings.Split(path, "/")
		list = append(list, e)
	}
	if err := s.Balancer.Update(policies.State{Endpoints: list, Policy: p}); err != nil {
		return err.Error()
	}
	s.Settle()
	return s.came()
}

// came returns what the balancer asked for since the last time.
func (s *stage) came() string {
	var all []string
	for _, c := range s.Calls() {
		all = append(all, strings.TrimPrefix(c.Text, "report "))
	}
	return strings.Join(all, ", ")
}

// picked says where a pick goes: to the picker of a puppet, or nowhere.
func (s *stage) picked() string {
	switch p := s.Pick(); p.Verdict {
	case policies.Sent:
		return s.puppets[p.SubConn].name
	case policies.Failed:
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
