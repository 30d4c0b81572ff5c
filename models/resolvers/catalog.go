// Package resolvers is how clients learn of backends. A kind is one file and one line in [Catalog].
package resolvers

import (
	"time"

	"lbsim/models"
	"lbsim/models/dist"
)

const second = models.Duration(time.Second)

// Catalog holds every resolver under its configuration name, as a prototype with its defaults.
var Catalog = map[string]models.Resolver{
	"consul": Consul{
		Lookup: none, Delay: none,
		By: checkGRPC, Interval: 10 * second, Timeout: 10 * second, Passing: true,
	},
	"dns":  DNS{Lookup: none, MinResolutionInterval: 30 * second},
	"etcd": Etcd{Lookup: none, Delay: none, Lease: 5 * second},
	"nacos": Nacos{
		Lookup: none, Delay: none,
		Beat: 5 * second, Unhealthy: 15 * second, Delete: 30 * second,
	},
	"passthrough": Passthrough{},
	"push": Push{
		Lookup: none, Delay: none, Source: fromKubernetes,
		Readiness: checkGRPC, ReadinessPeriod: 10 * second, NodeGrace: 50 * second,
	},
	"script": Script{},
	"static": Static{},
}

// none is the time of what takes none.
const none = dist.Constant(0)
