package policies

// Catalog holds every policy under its configuration name, as a prototype with its defaults.
var Catalog = map[string]Policy{
	"base_round_robin":  BaseRoundRobin{},
	"least_request":     LeastRequest{ChoiceCount: 2},
	"pick_first":        PickFirst{},
	"priority":          Priority{},
	"random":            Random{},
	"random_subsetting": RandomSubsetting{},
	"ring_hash": RingHash{
		MinRingSize: defaultMinRing, MaxRingSize: defaultMaxRing, RingSizeCap: defaultRingCap,
	},
	"round_robin":     RoundRobin{},
	"weighted_target": WeightedTarget{},
	"wrr_locality":    WRRLocality{},
}
