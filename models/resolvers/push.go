package resolvers

import (
	"errors"
	"fmt"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
)

// Push is a control plane that streams the list to each client (xDS, EDS): every change reaches
// each client after a delay of its own. The control plane learns of backends from Kubernetes, which
// lists those that are ready. The kubelet on a backend's machine detects at once that a process
// ends, and probes the process for readiness. A black hole is around the machine: probes inside of
// it pass, but the kubelet cannot renew the lease of its node, and the backend is not ready when
// the grace period of the node has passed; Kubernetes looks for expired leases each 5s.
//
// Source: Kubernetes, documentation of probes (a timeout of 1s, three failures in a row) and of
// nodes, kubelet's nodeLeaseDurationSeconds (renewed each 10s), kube-controller-manager's
// node-monitor-grace-period (50s since 1.32, 40s before) and node-monitor-period (5s).
type Push struct {
	// Backends are the backends of the control plane, in the order of the list; empty for all.
	Backends []string `toml:"backends"`
	// At replaces Backends if they change: the list, by the moment from which it is valid. Before
	// the first of these moments RPCs wait.
	At map[string][]string `toml:"at"`
	// Lookup is the time until the channel has the list when it exits idle.
	Lookup dist.Distribution `toml:"lookup"`
	// Delay is the time from a change to a client, drawn for each client and change.
	Delay dist.Distribution `toml:"delay"`
	// Source is "kubernetes", or "none" where only At changes the list.
	Source string `toml:"source"`
	// Readiness is the kind of readiness probe: "grpc", "http", "tcp", or "none": ready while the
	// process runs. The kinds fail as the checks of [Consul].
	Readiness Check `toml:"readiness"`
	// ReadinessPeriod is the time between two probes, > 0. After the third failure in a row the
	// backend is not ready.
	ReadinessPeriod time.Duration `toml:"readiness_period"`
	// NodeGrace is how long a node counts as ready after its last renewal, > 10s.
	NodeGrace time.Duration `toml:"node_grace"`
}

// Doc implements [models.Resolver].
func (Push) Doc() string {
	return "a control plane: each change reaches each client after a delay of its own"
}

// Check refuses unknown backends and invalid or duplicate moments.
func (p Push) Check(c *models.Config) error {
	if err := checkLists("at", p.At, c); err != nil {
		return err
	}
	if len(p.At) > 0 && len(p.Backends) > 0 {
		return errors.New("backends: cannot stand beside at, which says it by the moment")
	}
	if err := p.Readiness.among(checkGRPC, checkHTTP, checkTCP, checkNone); err != nil {
		return fmt.Errorf("readiness: %w", err)
	}
	switch {
	case p.Source != fromKubernetes && p.Source != fromNobody:
		return fmt.Errorf("source: unknown source %q (have kubernetes, none)", p.Source)
	case p.ReadinessPeriod <= 0:
		return errors.New("readiness_period: must be longer than 0s")
	case p.ReadinessPeriod > longest:
		return tooLong("readiness_period", p.ReadinessPeriod)
	case p.NodeGrace > longest:
		return tooLong("node_grace", p.NodeGrace)
	case p.NodeGrace <= nodeRenewal:
		return fmt.Errorf("node_grace: must be longer than %v, in which a node gives its next "+
			"sign (is %v)", nodeRenewal, p.NodeGrace)
	}
	return checkWatch(p.Backends, p.Lookup, p.Delay, c)
}

const (
	fromKubernetes = "kubernetes"
	fromNobody     = "none"

	nodeRenewal = 10 * time.Second
)

// Start implements [models.Resolver].
func (p Push) Start(to models.ResolverConn) models.Resolution {
	script := lists(to, mustSteps("at", p.At))
	if len(script) == 0 {
		script = []step[[]int32]{{0, to.Backends(p.Backends)}}
	}
	w := &watch{to: to, lookup: p.Lookup, delay: p.Delay}
	if p.Source == fromKubernetes {
		w.probes = p.probes()
	}
	w.content = func(listed func(int32) bool) ([]int32, bool) {
		list := at(script, to.Now(), nil)
		return listedIn(list, listed), list != nil
	}
	w.start(momentsOf(script)...)
	return nil
}

// probes returns the probes of Kubernetes: readiness, and the lease of the node.
func (p Push) probes() []probe {
	const looks, timeout = 5 * time.Second, time.Second
	ready := probe{
		every: p.ReadinessPeriod, timeout: timeout, fails: 3, restarts: true,
		find: func(b models.Presence) finding {
			switch {
			case b.Cut:
				return notNoticed
			case !b.Up:
				return signedOff
			case p.Readiness == checkNone:
				return passed
			}
			return p.Readiness.answer(b)
		},
	}
	node := heartbeat(nodeRenewal, p.NodeGrace, looks)
	node.restarts = false
	node.find = func(b models.Presence) finding {
		if b.Cut {
			return failedAtOnce
		}
		return passed
	}
	return []probe{ready, node}
}
