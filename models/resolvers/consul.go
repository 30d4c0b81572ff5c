package resolvers

import (
	"errors"
	"fmt"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
)

// Consul lists the instances whose health check passes, by a blocking query that returns when the
// list has changed. Each instance is checked at an interval, from a random moment on. The agent
// that checks is on another machine, so a check crosses the network.
//
// Source: hashicorp/consul, agent/checks and the documentation of health checks; for "ttl" also
// go-kratos, contrib/registry/consul, whose reports are good for two intervals.
//
// Left out: the gossip of agents on the machines of the instances, which misses a machine within
// seconds; that a connection whose SYN was lost may come about before the timeout; and that a
// blocking query also returns when nothing has changed, which no policy but round_robin's turn
// would notice.
type Consul struct {
	// Backends are the instances, in the order of the list; empty for all.
	Backends []string `toml:"backends"`
	// Lookup is the time until the channel has the list when it leaves idle.
	Lookup dist.Distribution `toml:"lookup"`
	// Delay is the time from a change of the list to the client, drawn for each.
	Delay dist.Distribution `toml:"delay"`
	// By is what is checked. A black hole fails them all, and so does a crash. "tcp" passes where
	// a connection is accepted; "http" fails also where a backend is mute, and "grpc" where it says
	// NOT_SERVING besides. With "ttl" the instance reports itself, each Interval: what is mute,
	// refuses connections or says NOT_SERVING does so too.
	By Check `toml:"check"`
	// Interval is the time between two checks of an instance, > 0. A crash is noticed by the next,
	// and so is the return of an instance, which counts as failing until its first check.
	Interval time.Duration `toml:"check_interval"`
	// Timeout is how long a check waits for an answer, > 0; the next comes so much later. It counts
	// for nothing with "ttl".
	Timeout time.Duration `toml:"check_timeout"`
	// Passing lists only instances whose check passes; else all that are registered.
	Passing bool `toml:"only_passing"`
	// DeregisterAfter is how long a check fails before the instance is no longer registered, 0 for
	// never. One that still runs then is not listed again before its process begins anew.
	DeregisterAfter time.Duration `toml:"deregister_critical_after"`
}

// Doc says what the resolver does.
func (Consul) Doc() string {
	return "lists what passes its health check; crash and return are noticed by the next check"
}

// Check refuses unknown backends and checks without interval.
func (x Consul) Check(c *models.Config) error {
	if err := x.By.among(checkGRPC, checkHTTP, checkTCP, checkTTL); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	switch {
	case x.Interval <= 0:
		return errors.New("check_interval: must be longer than 0s")
	case x.Timeout <= 0:
		return errors.New("check_timeout: must be longer than 0s")
	case x.Interval > longest:
		return tooLong("check_interval", x.Interval)
	case x.Timeout > longest:
		return tooLong("check_timeout", x.Timeout)
	case x.DeregisterAfter > longest:
		return tooLong("deregister_critical_after", x.DeregisterAfter)
	}
	return checkWatch(x.Backends, x.Lookup, x.Delay, c)
}

// Start asks for the list.
func (x Consul) Start(to models.ResolverConn) models.Resolution {
	w := &watch{to: to, lookup: x.Lookup, delay: x.Delay, probes: []probe{x.probe()}}
	w.content = listedOf(to.Backends(x.Backends))
	w.start()
	return nil
}

func (x Consul) probe() probe {
	every := x.Interval
	p := probe{every: every, timeout: x.Timeout, fails: 1}
	p.find = x.By.acrossNetwork
	if x.By == checkTTL {
		p = heartbeat(every, 2*every, 0)
	}
	p.failing, p.forget = !x.Passing, x.DeregisterAfter
	return p
}
