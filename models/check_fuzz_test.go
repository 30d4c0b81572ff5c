package models_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/failures"
	"lbsim/models/record"
	"lbsim/models/resolvers"
	"lbsim/policies"

	"pgregory.net/rapid"
)

// Any config, however it came about, is refused or runs: nothing panics, time goes on, and the
// record of a run that is over adds up.
func TestAnyConfigIsRefusedOrRuns(t *testing.T) { check(t, anyConfig) }

func FuzzConfig(f *testing.F) { f.Fuzz(rapid.MakeFuzz(anyConfig)) }

func anyConfig(t *rapid.T) {
	cfg := draw(t)
	cfg.Duration = time.Duration(rapid.IntRange(1, 300).Draw(t, "duration")) * time.Millisecond
	cfg.Bin = cfg.Duration
	for range rapid.IntRange(0, 4).Draw(t, "broken") {
		(&breaker{t}).breakOne(reflect.ValueOf(cfg).Elem())
	}
	if err := cfg.Check(); err != nil {
		refused(t, cfg, err)
		return
	}
	if tooLarge(cfg) {
		return
	}
	w := models.New(cfg)
	const slices, slice = 20, 5000
	began := w.Progress().Now
	for range slices {
		if w.Run(slice) {
			addsUpAnyhow(t, cfg, w.Finish())
			return
		}
	}
	if w.Progress().Now == began {
		t.Fatalf("%d events have not moved the clock", slices*slice)
	}
}

func refused(t *rapid.T, cfg *models.Config, err error) {
	defer func() {
		if got, want := fmt.Sprint(recover()), "models: "+err.Error(); got != want {
			t.Fatalf("New panics with %s, want %s", got, want)
		}
	}()
	models.New(cfg)
}

// tooLarge reports whether a config would take the fuzzer long.
func tooLarge(cfg *models.Config) bool {
	clients, callers, backends := 0, 0, 0
	for i := range cfg.Clients {
		g := &cfg.Clients[i]
		clients += g.Count
		callers += g.Count * (g.Callers + len(g.At))
	}
	for i := range cfg.Backends {
		backends += cfg.Backends[i].Count
	}
	return clients > 50 || callers > 500 || backends > 50 || cfg.Duration/cfg.Bin > 1000
}

func addsUpAnyhow(t *rapid.T, cfg *models.Config, run *record.Run) {
	if len(run.Broken) > 0 {
		t.Fatalf("invariants are broken: %q", run.Broken)
	}
	var codes uint64
	for _, n := range run.Codes {
		codes += n
	}
	if cfg.Warmup == 0 && (run.In != run.Ended+run.Open || codes != run.Ended) {
		t.Fatalf("%d RPCs began, %d ended, %d are open; the codes add up to %d", run.In, run.Ended,
			run.Open, codes)
	}
}

// breaker sets fields to values that they should not have, or that nobody thinks of.
type breaker struct{ *rapid.T }

func oneOf[T any](b *breaker, values ...T) T { return rapid.SampledFrom(values).Draw(b.T, "value") }

func (b *breaker) n(most int) int { return rapid.IntRange(0, most).Draw(b.T, "which") }

// breakOne breaks one of the values inside a value.
func (b *breaker) breakOne(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		var open []reflect.Value
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Type().Field(i).Name != "Trace" {
				open = append(open, v.Field(i))
			}
		}
		if len(open) > 0 {
			b.breakOne(open[b.n(len(open)-1)])
		}
	case reflect.Slice:
		switch n := b.n(4); {
		case n == 0:
			v.SetZero()
		case n == 1 || v.Len() == 0:
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		default:
			b.breakOne(v.Index(b.n(v.Len() - 1)))
		}
	case reflect.Map:
		key := oneOf(b, "", "a", "0s", "-1s", "all", "b0")
		value := reflect.New(v.Type().Elem()).Elem()
		b.breakOne(value)
		m := reflect.MakeMap(v.Type())
		m.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), value)
		v.Set(m)
	case reflect.Pointer:
		switch {
		case !v.IsNil() && b.n(2) == 0:
			v.SetZero()
		case v.IsNil():
			v.Set(reflect.New(v.Type().Elem()))
		default:
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			b.breakOne(c.Elem())
			v.Set(c)
		}
	case reflect.Interface:
		b.breakKind(v)
	default:
		b.breakLeaf(v)
	}
}

// breakKind puts another value behind an interface, or breaks what is there.
func (b *breaker) breakKind(v reflect.Value) {
	n := b.n(3)
	var d dist.Distribution = oneOf(b, dist.Constant(-1), 0, 1, math.MaxInt64)
	values := []any{
		d, policies.FromServiceConfig{}, policies.Priority{}, policies.RingHash{},
		policies.Random{}, policies.PickFirst{}, failures.Errors{}, failures.Crash{},
		failures.Slow{Backends: []string{"b0"}, Factor: math.Inf(1)}, resolvers.DNS{},
		resolvers.Script{}, resolvers.Consul{}, resolvers.Static{},
	}
	switch {
	case n == 0:
		v.SetZero()
	case n == 1 || v.IsNil():
		for range values {
			if x := reflect.ValueOf(oneOf(b, values...)); x.Type().Implements(v.Type()) {
				v.Set(x)
				return
			}
		}
	default:
		c := reflect.New(v.Elem().Type()).Elem()
		c.Set(v.Elem())
		b.breakOne(c)
		v.Set(c)
	}
}

func (b *breaker) breakLeaf(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		v.SetString(oneOf(b, "", "a", "b0", "b0/0", "b0/7", "x/y", "all", "OK", "x-key", "-bin"))
	case reflect.Float64:
		v.SetFloat(oneOf[float64](b, 0, -1, 0.5, 1, 2, 1e-300, 1e9, 1e300, math.NaN(), math.Inf(1),
			math.Inf(-1)))
	case reflect.Uint8:
		v.SetUint(uint64(b.n(255)))
	case reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(oneOf[uint64](b, 0, 1, 2, 1<<16-1))
	case reflect.Int64: // most are lengths of time
		v.SetInt(oneOf[int64](b, 0, -1, 1, 1e3, 1e6, 1e9, 3600e9, math.MaxInt64, math.MinInt64))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32:
		v.SetInt(oneOf[int64](b, 0, -1, 1, 2, 5, 1000, 1_000_001, -1<<31, 1<<31-1))
	}
}
