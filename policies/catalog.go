package policies

// Catalog holds every policy under its configuration name, as a prototype with its defaults.
var Catalog = map[string]Policy{
	"least_request": LeastRequest{ChoiceCount: 2},
	"pick_first":    PickFirst{},
	"random":        Random{},
	"round_robin":   RoundRobin{},
}
