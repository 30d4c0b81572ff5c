// Package resolvers holds the ways in which clients learn of backends. A kind is one file and one
// line in [Catalog].
package resolvers

import (
	"time"

	"lbsim/models"
	"lbsim/models/dist"
)

// Catalog holds every resolver under its configuration name, as a prototype with its defaults.
var Catalog = map[string]models.Resolver{
	"consul": Consul{
		Lookup: none, Delay: none,
		By: checkGRPC, Interval: 10 * time.Second, Timeout: 10 * time.Second, Passing: true,
	},
	"dns":  DNS{Lookup: none, MinResolutionInterval: 30 * time.Second},
	"etcd": Etcd{Lookup: none, Delay: none, Lease: 5 * time.Second},
	"nacos": Nacos{
		Lookup: none, Delay: none,
		Beat: 5 * time.Second, Unhealthy: 15 * time.Second, Delete: 30 * time.Second,
	},
	"passthrough": Passthrough{},
	"push": Push{
		Lookup: none, Delay: none, Source: fromKubernetes,
		Readiness: checkGRPC, ReadinessPeriod: 10 * time.Second, NodeGrace: 50 * time.Second,
	},
	"script": Script{},
	"static": Static{},
}

// none is the distribution of a time that is always 0.
const none = dist.Constant(0)
