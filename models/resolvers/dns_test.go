package resolvers_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lbsim/models/dist"
	"lbsim/models/resolvers"
)

func dns() resolvers.DNS { return resolvers.Catalog["dns"].(resolvers.DNS) }

// When a name is looked up, in seconds. The same hints were given to grpc-go v1.85.0's resolver on
// a fake clock, and gave the same lookups.
func TestLookups(t *testing.T) {
	for _, row := range []struct {
		name        string
		hints, want string
	}{
		{"no hint: never again", "", "0s"},
		{"a hint waits for the interval", "3s", "0s 30s"},
		{"a hint that comes after it does not", "75s", "0s 1m15s"},
		{"success at 30, hint at 75: resolve at 75", "3s 75s", "0s 30s 1m15s"},
		{"hints at 3, 10, 20: one resolution at 30, and the slot is still full", "3s 10s 20s",
			"0s 30s 1m0s"},
		{"nor does a later one add to it", "3s 10s 20s 75s", "0s 30s 1m0s 1m30s"},
	} {
		log := start(t, dns(), "0s", map[string][]string{"hints": strings.Fields(row.hints)})
		if got := strings.Join(moments(log), " "); got != row.want {
			t.Errorf("%s: hints %s: looked up at %s, want %s", row.name, row.hints, got, row.want)
		}
	}
}

// From the first failure on 1.6 s, then 1.6 times as long each time up to 120 s, all ±20 %. A
// success begins anew. It is the same for lookups that fail and for lists that the policy refuses.
func TestBackoffOfLookups(t *testing.T) {
	const from, to = 0, 40 * time.Minute
	fails := dns()
	fails.Errors = map[string]time.Duration{"0s": time.Duration(to)}
	nobody := dns()
	nobody.Records = map[string][]string{"40m": {"a"}}
	for name, r := range map[string]resolvers.DNS{"errors": fails, "NXDOMAIN": nobody} {
		at := moments(start(t, r, "0s", nil))
		wait := 1.6
		for i := 1; i < len(at); i++ {
			gap := (moment(t, at[i]) - moment(t, at[i-1])).Seconds()
			if gap < 0.8*wait || gap > 1.2*wait {
				t.Errorf("%s: wait %d was %.2fs, want %.2fs ±20 %%", name, i, gap, wait)
			}
			wait = min(1.6*wait, 120)
		}
		if last := moment(t, at[len(at)-1]); last < to || last > to+144*time.Second {
			t.Errorf("%s: the last lookup was at %v, want it within a wait of %v", name, last, to)
		}
	}
}

// A second row of failures begins with the short wait again.
func TestASuccessResetsTheBackoff(t *testing.T) {
	r := dns()
	r.Errors = map[string]time.Duration{
		"0s": time.Minute, "200s": 201 * time.Second,
	}
	at := moments(start(t, r, "0s", map[string][]string{"hints": {"200.5s"}}))
	n := len(at)
	gap := (moment(t, at[n-1]) - moment(t, at[n-2])).Seconds()
	if at[n-2] != "3m20.5s" || gap < 1.28 || gap > 1.92 {
		t.Errorf("lookups at %v: want one at 3m20.5s that fails, another 1.28s to 1.92s later",
			at)
	}
}

// The interval runs from the end of a lookup.
func TestLookupTakesItsTime(t *testing.T) {
	r := dns()
	r.Lookup = dist.Constant(3 * time.Second)
	got := moments(start(t, r, "1s", map[string][]string{"hints": {"2s", "50s"}}))
	// The hint of 2s came while the first lookup ran: 30s after its end, and 3s. Then 50s waits
	// until 30s after 37s.
	if want := []string{"4s", "37s", "1m10s"}; !slices.Equal(got, want) {
		t.Errorf("reported at %v, want %v", got, want)
	}
}

// A lookup gets 30 s: one that takes as long is in time, one that takes a nanosecond more is not.
func TestALookupGets30Seconds(t *testing.T) {
	for _, row := range []struct {
		takes time.Duration
		want  string
	}{
		{30 * time.Second, "at 30s: all backends"},
		{30*time.Second + 1,
			"at 30s: error: dns: A record lookup error: the name server did not answer"},
	} {
		r := dns()
		r.Lookup = dist.Constant(row.takes)
		log := start(t, r, "0s", map[string][]string{"until": {"31s"}})
		if first, _, _ := strings.Cut(log, "\n"); first != row.want {
			t.Errorf("lookups of %v: %s, want %s", row.takes, first, row.want)
		}
	}
}
