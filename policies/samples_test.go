package policies

// samples are policies as tests of all policies use them, where the prototype is of no use: that of
// a policy with children has none.
var samples = map[string]Policy{
	"cluster_impl":      ClusterImpl{MaxRequests: 1024, Child: RoundRobin{}},
	"outlier_detection": enforced(new(SuccessRateEjection), nil),
	"priority": Priority{
		Children: map[string]PriorityChild{
			"p0": {Child: RoundRobin{}}, "p1": {Child: RoundRobin{}},
		},
		Priorities: []string{"p0", "p1"},
	},
	"weighted_target": WeightedTarget{Targets: map[string]Target{
		"p0": {Weight: 3, Child: RoundRobin{}},
		"p1": {Weight: 1, Child: LeastRequest{ChoiceCount: 2}},
	}},
	"random_subsetting": RandomSubsetting{SubsetSize: 4, Child: RoundRobin{}},
	"ring_hash": RingHash{
		MinRingSize: defaultMinRing, MaxRingSize: defaultMaxRing, RingSizeCap: defaultRingCap,
		RequestHashHeader: keyed,
	},
	"wrr_locality": WRRLocality{Child: RoundRobin{}},
}

// sample returns a policy of a kind that works.
func sample(name string) Policy {
	if p, ok := samples[name]; ok {
		return p
	}
	return Catalog[name]
}

// placed gives an endpoint a zone and a path, for the policies that ask for them: every other one
// is in p1.
func placed(e *Endpoint) *Endpoint {
	e.Locality = []string{"p0", "p1"}[e.ID%2]
	e.LocalityWeight = 1 + uint32(e.ID%2)
	e.Path = []string{e.Locality}
	return e
}

// habits are what a policy of grpc-go does against the rules of most.
type habits struct {
	parks      bool // has SubConns that it does not use, READY or of endpoints that are gone
	keeps      bool // RPCs in whatever state, each for the endpoint of its own
	waits      bool // in TRANSIENT_FAILURE, for a child that no longer is
	failsEarly bool // in CONNECTING, for what happened before
	deaf       bool // to a list without endpoints
}

func habitsOf(p Policy) habits {
	switch p.(type) {
	case Priority:
		return habits{parks: true}
	case RingHash:
		return habits{keeps: true}
	case WeightedTarget, WRRLocality:
		return habits{waits: true}
	case GRPCLB:
		return habits{parks: true, deaf: true}
	case BaseRoundRobin:
		return habits{failsEarly: true}
	}
	return habits{}
}
