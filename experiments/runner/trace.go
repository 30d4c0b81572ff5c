package runner

import (
	"fmt"
	"time"

	"lbsim/models"
	"lbsim/policies"
)

// participants are the names of clients and backends by their numbers in a trace.
type participants struct {
	clients, backends []string
}

// participantsOf returns the names in the order of the numbers that a trace has.
func participantsOf(c *models.Config) participants {
	p := participants{backends: c.BackendNames()}
	for i := range c.Clients {
		for k := range c.Clients[i].Count {
			p.clients = append(p.clients, fmt.Sprintf("%s/%d", c.Clients[i].Name, k))
		}
	}
	return p
}

// backendName returns the backend of an event, or "" if it has none.
func (p *participants) backendName(e models.TraceEntry) string {
	switch e.What {
	case models.Sent, models.Dialled, models.SubConnChanged:
		if e.Backend < 0 {
			return "the L4 balancer"
		}
		return p.backends[e.Backend]
	}
	return ""
}

// describe returns an event as a line of text.
func (p *participants) describe(e models.TraceEntry) string {
	at := fmt.Sprintf("%-14v client %s", time.Duration(e.At), p.clients[e.Client])
	backend := p.backendName(e)
	switch e.What {
	case models.Began:
		return fmt.Sprintf("%s: RPC %d began", at, e.RPC)
	case models.Sent:
		return fmt.Sprintf("%s: RPC %d was sent to %s", at, e.RPC, backend)
	case models.Ended:
		if e.Code == policies.OK {
			return fmt.Sprintf("%s: RPC %d ended: OK", at, e.RPC)
		}
		return fmt.Sprintf("%s: RPC %d ended: %v %v", at, e.RPC, e.Code, e.Reason)
	case models.Dialled:
		return fmt.Sprintf("%s: a SubConn dialled %s", at, backend)
	case models.SubConnChanged:
		return fmt.Sprintf("%s: its SubConn to %s became %v", at, backend, e.State)
	}
	return fmt.Sprintf("%s: the channel became %v", at, e.State)
}
