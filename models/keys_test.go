package models_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

func TestKeys(t *testing.T) {
	for _, row := range []struct{ text, back string }{
		{"client", "client"},
		{" client ", "client"},
		{"uniform(n=1)", "uniform(n=1)"},
		{"uniform( n = 1000000000 )", "uniform(n=1000000000)"},
		{"hot(n=10, share=0.30)", "hot(share=0.3, n=10)"},
		{"zipf(n=1000,s=1)", "zipf(n=1000, s=1)"},
		{"zipf(s=0, n=1000)", "zipf(n=1000, s=0)"},
	} {
		k := keys(t, row.text)
		back, err := k.MarshalText()
		if err != nil || string(back) != row.back {
			t.Errorf("%q: written as %s, %v, want %s", row.text, back, err, row.back)
		}
		keys(t, string(back))
	}
}

func TestKeysRefused(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"", `unknown key "" (have client, hot, uniform, zipf)`},
		{"uniforn(n=3)", `unknown key "uniforn"; did you mean uniform?`},
		{"client(n=3)", `"client(n=3)" is no key (write for instance client)`},
		{"uniform", `"uniform" is no key (write for instance uniform(n=1000))`},
		{"uniform(n=3", `"uniform(n=3" is no key (write for instance uniform(n=1000))`},
		{"uniform()", `uniform: unknown parameter ""`},
		{"uniform(n=0)", "uniform: n must be a whole number from 1 to 1000000000 (is 0)"},
		{"uniform(n=1.5)", "uniform: n must be a whole number from 1 to 1000000000 (is 1.5)"},
		{"uniform(n=1000000001)", "uniform: n must be a whole number from 1 to 1000000000 (is 1"},
		{"zipf(n=1000001, s=1)", "zipf: n must be a whole number from 1 to 1000000 (is 1000001)"},
		{"zipf(n=10, s=-1)", "zipf: s must be from 0 to 10 (is -1)"},
		{"zipf(n=10, s=NaN)", "zipf: s must be from 0 to 10 (is NaN)"},
		{"zipf(n=10)", "zipf: needs s"},
		{"hot(n=10, n=10)", "hot: n is given twice"},
		{"hot(n=10, share=1)", "hot: share must be between 0 and 1 (is 1)"},
		{"hot(n=10, s=1)", `hot: unknown parameter "s"`},
	} {
		k := new(models.Keys)
		if err := k.UnmarshalText([]byte(row.text)); err == nil ||
			!strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%q: error %v, want %s", row.text, err, row.want)
		}
	}
}

// asked is a policy that writes down what its picker is asked.
type asked struct {
	policies.Policy
	calls *[]policies.Call
}

func (a asked) Build(h policies.Host) policies.Balancer {
	return a.Policy.Build(&frontHost{h, func(p policies.Picker) policies.Picker {
		return askedPicker{p, a.calls}
	}})
}

type askedPicker struct {
	policies.Picker
	calls *[]policies.Call
}

func (a askedPicker) Pick(c policies.Call) policies.Pick {
	*a.calls = append(*a.calls, c)
	return a.Picker.Pick(c)
}

// keysOf returns how often a picker sees each key below n in a run of so many RPCs.
func keysOf(t *testing.T, text string, rpcs uint64, n int) []float64 {
	t.Helper()
	var calls []policies.Call
	cfg := oneCaller(t, asked{policies.RoundRobin{}, &calls}, 1, rpcs)
	cfg.Network.Connect = parse(t, "0s")
	cfg.Clients[0].Keys, cfg.Clients[0].KeyHeader = keys(t, text), keyHeader
	played(t, cfg)
	count := make([]float64, n)
	for _, c := range calls[uint64(len(calls))-rpcs:] {
		if c.Header != keyHeader || c.Key >= uint64(n) {
			t.Fatalf("%s: key %d in header %q", text, c.Key, c.Header)
		}
		count[c.Key]++
	}
	return count
}

// Keys are as frequent as they are said to be. The bound is five standard deviations of a binomial
// count, which one key in 1.7 million misses with a seed.
func TestKeysAreAsFrequentAsSaid(t *testing.T) {
	const rpcs = 20_000
	for _, row := range []struct {
		text string
		want []float64
	}{
		{"client", []float64{1}},
		{"uniform(n=1)", []float64{1}},
		{"uniform(n=4)", []float64{.25, .25, .25, .25}},
		{"hot(share=0.3, n=2)", []float64{.3, .35, .35}},
		{"hot(share=0.999, n=1)", []float64{.999, .001}},
		{"zipf(n=4, s=0)", []float64{.25, .25, .25, .25}},
		{"zipf(n=4, s=1)", []float64{12. / 25, 6. / 25, 4. / 25, 3. / 25}},
		{"zipf(n=3, s=2)", []float64{36. / 49, 9. / 49, 4. / 49}},
	} {
		for key, got := range keysOf(t, row.text, rpcs, len(row.want)) {
			p := row.want[key]
			if math.Abs(got-rpcs*p) > 5*math.Sqrt(rpcs*p*(1-p)) {
				t.Errorf("%s: key %d in %v of %d RPCs, want a share of %v", row.text, key, got,
					rpcs, p)
			}
		}
	}
}

// An RPC keeps its key when it is tried again or waits for another picker, and has the same under
// every policy.
func TestKeysStayWithTheirRPC(t *testing.T) {
	var calls []policies.Call
	cfg := full(t, 4, time.Second)
	cfg.Policy = asked{cfg.Policy, &calls}
	cfg.Clients[0].Keys, cfg.Clients[0].KeyHeader = keys(t, "uniform(n=1000000)"), keyHeader
	cfg.Clients[0].Retry = &serviceconfig.Retry{
		MaxAttempts: 3, InitialBackoff: time.Millisecond, MaxBackoff: time.Millisecond,
		Multiplier: 1, Codes: unavailable,
	}
	attempts(t, cfg)
	last := calls[len(calls)-9:] // three RPCs of three attempts
	for i, c := range last {
		if first := last[i-i%3]; c.Key != first.Key || i%3 > 0 && c.Luck == first.Luck {
			t.Errorf("attempt %d: key %d and luck %x, the first had %d and %x", i, c.Key, c.Luck,
				first.Key, first.Luck)
		}
	}
	if last[0].Key == last[3].Key || last[3].Key == last[6].Key {
		t.Error("all RPCs have one key")
	}
}

// Under ring_hash the RPCs of a client whose key is its own all go to one backend.
func TestRingHashKeepsSessions(t *testing.T) {
	cfg := oneCaller(t, sample("ring_hash"), 1, 50)
	cfg.Clients[0].Count = 20
	cfg.Clients[0].Keys, cfg.Clients[0].KeyHeader = keys(t, "client"), keyHeader
	of, used := make(map[int32]int32), make(map[int32]bool)
	for _, c := range played(t, cfg) {
		if b, known := of[int32(c.Client)]; known && b != int32(c.Backend) {
			t.Errorf("client %d: RPCs to backends %d and %d", c.Client, b, c.Backend)
		}
		of[int32(c.Client)] = int32(c.Backend)
		used[int32(c.Backend)] = true
	}
	if len(used) != 3 {
		t.Errorf("%d backends of 3 are used by 20 clients", len(used))
	}
}
