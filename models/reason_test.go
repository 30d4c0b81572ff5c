package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/models/record"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// failed returns the failures of a run in words, such as "UNAVAILABLE connection refused 3".
func failed(run *record.Run) string {
	var parts []string
	var sum uint64
	for _, f := range run.Failures {
		code, why := policies.Code(f.Code), policies.Reason(f.Reason)
		parts = append(parts, fmt.Sprintf("%v %v %d", code, why, f.Count))
		sum += f.Count
	}
	if n := run.Failed; n != sum {
		parts = append(parts, fmt.Sprintf("but %d failed", n))
	}
	return strings.Join(parts, "; ")
}

// The worlds are written as in stories. RPCs begin each 100 ms from 1 s on, those of the first
// second being left out.
func TestReasons(t *testing.T) {
	const clients = "clients rate=10/s arrivals=even requests=5 start=1s "
	const unlimited = "backends b service=50ms workers=100\n"
	retry := func(cfg *models.Config) {
		cfg.Clients[0].Retry = &serviceconfig.Retry{
			MaxAttempts: 3, InitialBackoff: time.Second, MaxBackoff: time.Second,
			Multiplier: 1, Codes: unavailable,
		}
	}
	setErrors := func(cfg *models.Config) {
		cfg.Failures = append(cfg.Failures, failures.Errors{
			Backends: []string{"b"}, Ratio: 1, Code: "UNAVAILABLE",
		})
	}
	watched := func(cfg *models.Config) { // by an RPC that keeps a stream
		cfg.Clients[0].HealthCheck = true
	}
	for _, row := range []struct {
		world  string
		change func(*models.Config)
		want   string
	}{
		{clients + "\n" + unlimited, nil, ""},
		{clients + "\n" + unlimited, setErrors, "UNAVAILABLE backend error 5"},
		{clients + "\nbackends b service=1h workers=2 queue=1 on_full=UNAVAILABLE", nil,
			"UNAVAILABLE backend full 2"},
		{clients + "\n" + unlimited + "crash b", nil, "UNAVAILABLE connection refused 5"},
		{clients + "wait_for_ready=true timeout=1s\n" + unlimited + "crash b", nil,
			"DEADLINE_EXCEEDED connection refused 5"},
		{clients + "\n" + unlimited + "crash b", retry,
			"UNAVAILABLE connection refused, retries exhausted 5"},
		{clients + "timeout=500ms\n" + unlimited + "crash b", retry,
			"DEADLINE_EXCEEDED in backoff 5"},
		{clients + "\n" + unlimited + "blackhole b", nil, "UNAVAILABLE dial timeout 5"},
		{clients + "\n" + unlimited + "mute b", nil, "UNAVAILABLE handshake timeout 5"},
		{clients + "\nnetwork connect=30s\n" + unlimited, nil, "UNAVAILABLE handshake timeout 5"},
		{clients + "\nnetwork connect=31s\n" + unlimited, nil, "UNAVAILABLE dial timeout 5"},
		{clients + "timeout=1s\n" + unlimited + "mute b", nil,
			"DEADLINE_EXCEEDED waiting for a connection 5"},
		{clients + "timeout=1s\n" + unlimited + "script 0s= 1h=b", nil,
			"UNAVAILABLE zero addresses 5"},
		{clients + "timeout=1s\n" + unlimited + "script 1h=b", nil,
			"DEADLINE_EXCEEDED waiting for names 5"},
		{clients + "\npolicy round_robin\n" + unlimited + "script 0s= 1h=b", nil,
			"UNAVAILABLE no children 5"},
		{clients + "timeout=60ms\nbackends b service=50ms workers=100 max_concurrent_streams=1\n" +
			"slow b factor=5", nil,
			"DEADLINE_EXCEEDED in flight 5"},
		{clients + "timeout=1s\npolicy round_robin\nbackends b service=1ms " +
			"max_concurrent_streams=1", watched,
			"DEADLINE_EXCEEDED waiting for a stream 5"},
		{clients + "\nbackends b service=1h workers=100\ncrash b from=1250ms", nil,
			"UNAVAILABLE connection refused 2; UNAVAILABLE connection reset 3"},
		{clients + "keepalive_time=10s\n" + unlimited + "blackhole b from=1250ms", nil,
			"UNAVAILABLE keepalive timeout 3"},
		{clients + "\nnetwork delay=0s tcp_give_up=15m\n" + unlimited +
			"blackhole b from=1250ms", nil, "UNAVAILABLE TCP timeout 3"},
		{clients + "\nbackends b service=1h workers=100 max_connection_age=2s " +
			"max_connection_age_grace=1s", nil, "UNAVAILABLE closed after GOAWAY 5"},
	} {
		cfg := readWorld(t, row.world)
		if row.change != nil {
			row.change(cfg)
		}
		run, _ := run(cfg, 1<<40)
		if got := failed(run); got != row.want {
			t.Errorf("%s\ngot  %s\nwant %s", row.world, got, row.want)
		}
	}
}

// An RPC that waited for a stream of a connection which ends waits for another, for no reason: the
// note of its former pick is none.
func TestReasonAfterAPick(t *testing.T) {
	cfg := readWorld(t, `policy least_request
		clients rate=5/s arrivals=even requests=5 timeout=2s
		network delay=5ms
		backends b service=1h workers=9 max_concurrent_streams=1 count=2
		crash b from=1s to=1001ms
		mute b from=1s`)
	cfg.Seed = 2 // with it the connection that is lost last does not have the note 0
	run, _ := run(cfg, 1<<40)
	const want = "DEADLINE_EXCEEDED waiting for a connection 3; UNAVAILABLE connection reset 2"
	if got := failed(run); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
