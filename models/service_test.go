package models_test

import (
	"fmt"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/resolvers"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// readTXT reads a record with a service config.
func readTXT(t *testing.T, text string) models.TXT {
	t.Helper()
	x, err := models.ReadTXT(text, text, func(name string) (policies.Policy, bool) {
		p, is := policies.Catalog[name]
		return p, is
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// configured is a world of clients with a call each in 10 s, whose one backend is slow, and of a
// name that is looked up each 10 s and takes 1 ms.
func configured(t *testing.T, clients, calls int, txt string) *models.Config {
	cfg := &models.Config{
		Seed: 1, Duration: time.Duration(calls) * 10 * time.Second, Bin: time.Hour,
		Network: models.Network{Delay: dist.Constant(0)},
		Backends: []models.BackendGroup{{
			Name: "b", Count: 1, Workers: 1_000_000, Service: dist.Constant(time.Second),
			Speed: 1, Weight: 1, ZoneWeight: 1,
			Queue: -1,
		}},
		Clients: []models.ClientGroup{{Name: "c", Count: clients, Think: dist.Constant(0)}},
		Resolver: resolvers.DNS{
			TXT: map[string]models.TXT{"0s": readTXT(t, txt)}, Lookup: dist.Constant(1e6),
			MinResolutionInterval: time.Second,
			ReResolve:             time.Duration(10 * time.Second),
		},
		Policy: policies.PickFirst{}, Trace: &models.Trace{},
	}
	for i := range calls {
		at := time.Duration(i) * 10 * time.Second
		if i > 0 {
			at += time.Second
		}
		cfg.Clients[0].At = append(cfg.Clients[0].At, at)
	}
	return cfg
}

// A tenth of the clients is to have a timeout, and each draws anew at each look. With seed 1, of
// 400 clients with 20 calls each and a look between any two, 800 calls are expected to be late,
// standard deviation 26.8; bounds are four of them.
func TestEachLookDrawsItsShareAnew(t *testing.T) {
	const clients, calls = 400, 20
	cfg := configured(t, clients, calls, `[{"percentage":10,"serviceConfig":
		{"methodConfig":[{"name":[{}],"timeout":"0.1s"}]}},{"serviceConfig":{}}]`)
	run(cfg, 1<<20)
	late, total := make([]int, clients), 0
	for _, e := range cfg.Trace.Entries {
		if e.What == models.Ended && e.Code == policies.DeadlineExceeded {
			late[e.Client]++
			total++
		}
	}
	if total < 800-4*27 || total > 800+4*27 {
		t.Errorf("%d of 8000 calls were late, want 800 ± 108", total)
	}
	never := 0
	for _, n := range late {
		if n > 10 {
			t.Errorf("a client has drawn the tenth %d times of 20", n) // chance 7e-7 for each
		}
		if n == 0 {
			never++
		}
	}
	// 0.9²⁰ of the clients: 48.6, standard deviation 6.5.
	if never < 48-27 || never > 48+27 {
		t.Errorf("%d clients never had the timeout, want 48 ± 27", never)
	}
}

// Hedging policies, which grpc-go has none of, come by names too: for RPCs that wait for them from
// when they are there.
func TestHedgingComesByNames(t *testing.T) {
	cfg := configured(t, 1, 1, `[{"serviceConfig":{"methodConfig":[{"name":[{}],
		"hedgingPolicy":{"maxAttempts":3,"hedgingDelay":"0.1s"}}]}}]`)
	run(cfg, 1<<20)
	var sent []time.Duration
	for _, e := range cfg.Trace.Entries {
		if e.What == models.Sent {
			sent = append(sent, time.Duration(e.At))
		}
	}
	if got, want := fmt.Sprint(sent), "[1ms 101ms 201ms]"; got != want {
		t.Errorf("sent at %s, want %s", got, want)
	}
}

// A service config takes the place of what was before, but for the application's own words.
func TestGroupConfigure(t *testing.T) {
	c, err := serviceconfig.Parse([]byte(`{"methodConfig":[
		{"name":[{"service":"s","method":"m"}],"timeout":"0s","waitForReady":true},
		{"name":[{}],"timeout":"2s"}]}`), func(string) (policies.Policy, bool) {
		return policies.PickFirst{}, true
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name        string
		group       models.ClientGroup
		wantTimeout time.Duration
		wantWait    bool
	}{
		{"the entry of the method", models.ClientGroup{Method: "/s/m"}, 1, true},
		{"the default", models.ClientGroup{Method: "/s/n"}, 2 * time.Second, false},
		{"its own word", models.ClientGroup{Method: "/s/m", WaitForReady: new(false)}, 1, false},
		{"what was before is gone", models.ClientGroup{
			Method: "/s/n", ServiceWait: true, ServiceTimeout: 1, HealthCheck: true,
			Throttle: &serviceconfig.Throttle{}}, 2 * time.Second, false},
	} {
		g := row.group
		g.Configure(c)
		if g.ServiceTimeout != row.wantTimeout || g.WaitsForReady() != row.wantWait ||
			g.HealthCheck || g.Throttle != nil {
			t.Errorf("%s: got %+v", row.name, g)
		}
	}
}
