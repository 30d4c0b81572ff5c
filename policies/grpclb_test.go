package policies_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// lbRun is a grpclb with the lists of a balancer, over READY backends "0" to n-1.
func lbRun(n int, balancer map[string][]string) *policytest.Host {
	h := readyHost(policies.GRPCLB{Balancer: balancer}, n, 1)
	h.Settle()
	h.ConnectAll()
	return h
}

func answers(h *policytest.Host, n int) string {
	var words []string
	for range n {
		words = append(words, h.Pick().String())
	}
	got := strings.Join(words, " ")
	return strings.ReplaceAll(got, "drop(UNAVAILABLE: request dropped by grpclb)", "drop")
}

// Rows of grpc-go's tests: each third RPC is dropped, and the turn of the drops goes on when a
// backend is gone.
func TestGRPCLBDrops(t *testing.T) {
	h := lbRun(2, map[string][]string{"0s": {"0", "1", "drop"}})
	if got := answers(h, 6); got != "0 1 drop 0 1 drop" && got != "1 0 drop 1 0 drop" {
		t.Errorf("picks %s", got)
	}
	answers(h, 1)
	h.Set("0", policies.Idle)
	if got := answers(h, 6); got != "1 drop 1 1 drop 1" {
		t.Errorf("without the first: picks %s", got)
	}
}

// The turn of the connections goes on too, as far as there still are as many.
func TestGRPCLBTurnGoesOn(t *testing.T) {
	for done := range 3 {
		h := lbRun(3, map[string][]string{"0s": {"0", "1", "2"}})
		for range 3 {
			if answers(h, 1) == "2" {
				break // next is 0
			}
		}
		answers(h, done)
		h.Set("2", policies.Idle)
		want := []string{"0", "1", "0"}[done] // 2 modulo 2 is 0
		if got := answers(h, 1); got != want {
			t.Errorf("after %d more the next is %s, want %s", done, got, want)
		}
	}
}

// The list of before is news after the order to fall back.
func TestGRPCLBSameListAfterFallback(t *testing.T) {
	h := lbRun(2, map[string][]string{"0s": {"0"}, "5s": {"fallback"}, "6s": {"0"}})
	for _, row := range []struct {
		after time.Duration
		want  int // RPCs of 100 to 0
	}{{0, 100}, {5 * time.Second, 50}, {time.Second, 100}} {
		h.Advance(row.after)
		h.ConnectAll()
		if n := strings.Count(answers(h, 100), "0"); n != row.want {
			t.Errorf("at %v: %d of 100 go to 0, want %d", h.Now(), n, row.want)
		}
	}
}

// A backend that is named more often gets more, wherever the list names it.
func TestGRPCLBWeighs(t *testing.T) {
	for _, list := range []string{"0 0 1 0 1", "0 0 0 1 1"} {
		h := lbRun(2, map[string][]string{"0s": strings.Fields(list)})
		if got := answers(h, 5000); strings.Count(got, "0") != 3000 {
			t.Errorf("list %s: %d of 5000 go to 0, want 3000", list, strings.Count(got, "0"))
		}
	}
}

// An empty list leaves nobody, and the next one is taken again.
func TestGRPCLBEmptyList(t *testing.T) {
	h := lbRun(1, map[string][]string{"0s": {"0"}, "5s": {}, "6s": {"0"}})
	const nobody = "fail(UNAVAILABLE: all SubConns are in TransientFailure, " +
		"last connection error: <nil>)"
	for _, row := range []struct {
		after time.Duration
		want  string
	}{{0, "0"}, {5 * time.Second, nobody}, {time.Second, "0"}} {
		h.Advance(row.after)
		if got := answers(h, 1); got != row.want {
			t.Errorf("at %v: picks %s, want %s", h.Now(), got, row.want)
		}
	}
}

// Rows of grpc-go's tests: which childPolicy stands for pick_first.
func TestGRPCLBChild(t *testing.T) {
	for text, want := range map[string]bool{
		`[{"pick_first":{}}]`:                    true,
		`[{"pick_first":5},{"round_robin":{}}]`:  true,
		`[{"round_robin":{}},{"pick_first":{}}]`: false,
		`[{"pick_first":{},"round_robin":{}}]`:   false,
		`[{"fancy":{}},null,{"pick_first":{}}]`:  true,
		`[]`:                                     false, `null`: false,
	} {
		var c policies.ChildIsPickFirst
		if err := json.Unmarshal([]byte(text), &c); err != nil || bool(c) != want {
			t.Errorf("%s: %v, %v, want %v", text, c, err, want)
		}
	}
	var c policies.ChildIsPickFirst
	if json.Unmarshal([]byte(`[5]`), &c) == nil {
		t.Error("a number is taken for a policy")
	}
}

func TestGRPCLBOptions(t *testing.T) {
	for _, row := range []struct {
		at   string
		list []string
		want string
	}{
		{"10s", []string{"a", "drop"}, ""},
		{"10s", []string{"lost"}, ""},
		{"10", nil, `balancer: "10" is no moment, such as "10s"`},
		{"-1s", nil, `balancer: "-1s" is no moment, such as "10s"`},
		{"1s", []string{"a", "lost"}, `balancer: "1s": "lost" must stand alone`},
	} {
		err := policies.GRPCLB{Balancer: map[string][]string{row.at: row.list}}.Check()
		if err == nil && row.want != "" || err != nil && err.Error() != row.want {
			t.Errorf("%s %v: %v, want %q", row.at, row.list, err, row.want)
		}
	}
}

// Closed, at any time, it has shut down all SubConns, those that it kept too, and asks for nothing.
func TestGRPCLBCloses(t *testing.T) {
	balancer := map[string][]string{"2s": {"0", "1"}, "6s": {"1"}, "7s": {"lost"}, "8s": {"2"}}
	for _, first := range []bool{false, true} {
		for s := range 30 {
			p := policies.GRPCLB{
				PickFirst: policies.ChildIsPickFirst(first), Balancer: balancer,
			}
			h := readyHost(p, 4, 1)
			for range s {
				h.ConnectAll()
				h.Advance(time.Second)
			}
			h.Balancer.Close()
			h.Settle()
			for i := range h.SubConns() {
				sc := policies.SubConn(i)
				if h.StateOf(sc) != policies.Shutdown {
					t.Errorf("closed after %d s, %s is %v", s, h.Name(sc), h.StateOf(sc))
				}
			}
			if h.Pending() > 0 {
				t.Errorf("closed after %d s, %d events are pending", s, h.Pending())
			}
		}
	}
}

func TestGRPCLBPicksDoNotAllocate(t *testing.T) {
	h := lbRun(4, map[string][]string{"0s": {"0", "drop", "1", "2"}})
	n := testing.AllocsPerRun(1000, func() {
		if p := h.Picker.Pick(policies.Call{}); p.Verdict == policies.Sent {
			h.Picker.Done(p, policies.Outcome{})
		}
	})
	if n != 0 || h.State != policies.Ready {
		t.Errorf("%v allocations a pick in %v", n, h.State)
	}
}
