package resolvers

import (
	"errors"
	"fmt"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
)

// Consul lists the instances whose health check passes. A blocking query returns when the list has
// changed. An agent checks each instance at an interval, from a random moment on. The agent is on
// another machine, so a check crosses the network.
//
// Source: hashicorp/consul, agent/checks and the documentation of health checks; for "ttl" also
// go-kratos, contrib/registry/consul, whose reports are good for two intervals.
//
// Left out: the gossip of agents on the machines of the instances, which detects a lost machine
// within seconds; that a connection whose SYN was lost may be established before the timeout; and
// that a blocking query also returns without a change, which only the turn of round_robin would
// show.
type Consul struct {
	// Backends are the instances, in the order of the list; empty for all.
	Backends []string `toml:"backends"`
	// Lookup is the time until the channel has the list when it exits idle.
	Lookup dist.Distribution `toml:"lookup"`
	// Delay is the time from a change of the list to the client, drawn for each.
	Delay dist.Distribution `toml:"delay"`
	// By is the kind of check. A black hole and a crash fail all kinds. "tcp" passes if a
	// connection is accepted. "http" fails also if the backend is mute, "grpc" also if it is mute
	// or NOT_SERVING. With "ttl" the instance reports itself each Interval, also while it is mute,
	// refuses connections or is NOT_SERVING.
	By Check `toml:"check"`
	// Interval is the time between two checks of an instance, > 0. The next check detects a crash
	// or the return of an instance, which counts as failing until its first check.
	Interval time.Duration `toml:"check_interval"`
	// Timeout is how long a check waits for an answer, > 0; the next check is delayed by it. It has
	// no effect with "ttl".
	Timeout time.Duration `toml:"check_timeout"`
	// Passing lists only instances whose check passes; otherwise all that are registered.
	Passing bool `toml:"only_passing"`
	// DeregisterAfter is how long a check fails before the instance is deregistered, 0 for never. A
	// deregistered instance is listed again only when its process restarts.
	DeregisterAfter time.Duration `toml:"deregister_critical_after"`
}

// Doc implements [models.Resolver].
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

// Start implements [models.Resolver].
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
