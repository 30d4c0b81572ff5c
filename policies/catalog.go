package policies

import "time"

// Catalog holds every policy under its configuration name, as a prototype with its defaults.
var Catalog = map[string]Policy{
	"base_round_robin":  BaseRoundRobin{},
	"cluster_impl":      ClusterImpl{MaxRequests: 1024},
	"grpclb":            GRPCLB{},
	"least_request":     LeastRequest{ChoiceCount: 2},
	"outlier_detection": outlierDefaults,
	"pick_first":        PickFirst{},
	"priority":          Priority{},
	"random":            Random{},
	"random_subsetting": RandomSubsetting{},
	"ring_hash": RingHash{
		MinRingSize: defaultMinRing, MaxRingSize: defaultMaxRing, RingSizeCap: defaultRingCap,
	},
	"round_robin": RoundRobin{},
	"weighted_round_robin": WeightedRoundRobin{
		OOBPeriod: 10 * time.Second, BlackoutPeriod: 10 * time.Second,
		ExpirationPeriod: 3 * time.Minute, UpdatePeriod: time.Second,
		ErrorPenalty: 1,
	},
	"weighted_target": WeightedTarget{},
	"wrr_locality":    WRRLocality{},
}
