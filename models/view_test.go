package models_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/resolvers"
	"lbsim/policies"
)

// spy is a policy that writes down the endpoints that it is brought, and is round_robin otherwise.
type spy struct{ log *[]string }

type spying struct {
	policies.Balancer
	log *[]string
}

func (spy) Doc() string { return "round_robin with a notebook" }

func (s spy) Build(h policies.Host) policies.Balancer {
	return spying{policies.RoundRobin{}.Build(h), s.log}
}

func (s spying) Update(st policies.State) error {
	text := ""
	for _, e := range st.Endpoints {
		text += fmt.Sprint(" ", e.ID, "*", e.Weight, e.Locality, e.LocalityWeight, e.Path)
	}
	*s.log = append(*s.log, text)
	return s.Balancer.Update(st)
}

// What the control plane tells clients of backends.
func TestEndpointsOfClients(t *testing.T) {
	config := func() *models.Config {
		backend := func(name, zone string) models.BackendGroup {
			return models.BackendGroup{
				Name: name, Count: 1, Workers: 1, Service: dist.Constant(0),
				Speed:  1,
				Weight: 2, Zone: zone, ZoneWeight: 3, Path: []string{"x"},
			}
		}
		return &models.Config{
			Duration: 10 * time.Second, Bin: time.Second,
			Clients: []models.ClientGroup{
				{Name: "c", Count: 1, Zone: "east", At: []time.Duration{0}},
			},
			Backends: []models.BackendGroup{backend("a", "east"), backend("b", "west")},
			Network:  models.Network{Delay: dist.Constant(0)},
			Resolver: resolvers.Catalog["static"],
		}
	}
	for _, row := range []struct {
		name   string
		change func(c *models.Config)
		want   string
	}{
		{"all", func(*models.Config) {}, "[ 0*2east3 [x] 1*2west3 [x]]"},
		{"a list", func(c *models.Config) {
			c.Resolver = resolvers.Static{Backends: []string{"b"}}
		}, "[ 1*2west3 [x]]"},
		{"ranked", func(c *models.Config) { c.Rank = models.RankZone },
			"[ 0*2east3 [local x] 1*2west3 [remote x]]"},
		{"weights of zones", func(c *models.Config) {
			c.Clients[0].ZoneWeights = map[string]uint32{"west": 7}
		}, "[ 1*2west7 [x]]"},
		{"weights of a registry", func(c *models.Config) {
			n := resolvers.Catalog["nacos"].(resolvers.Nacos)
			n.Weights = map[string]map[string]float64{
				"1s": {"a": 1.5}, "2s": {"b": 0.001}, "3s": {"a": 0}, "4s": {"a": 1.5},
			}
			c.Resolver = n
		}, "[ 0*100east3 [x] 1*100west3 [x]  0*150east3 [x] 1*100west3 [x] " +
			" 0*150east3 [x] 1*1west3 [x]  1*1west3 [x]  0*150east3 [x] 1*1west3 [x]]"},
	} {
		var log []string
		c := config()
		row.change(c)
		c.Policy = spy{&log}
		models.New(c).Run(math.MaxInt)
		if got := fmt.Sprint(log); got != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, got, row.want)
		}
	}
}
