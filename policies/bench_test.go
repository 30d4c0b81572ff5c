package policies_test

import (
	"fmt"
	"testing"
	"time"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// BenchmarkPick is one RPC that is done at once: Pick and Done.
func BenchmarkPick(b *testing.B) {
	for _, name := range names() {
		for _, n := range []int{10, 100, 1000, 10000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				h := readyHost(sample(name), n, 1)
				key := uint64(0)
				b.ReportAllocs()
				for b.Loop() {
					p := h.Picker.Pick(policies.Call{Header: keyed, Key: key})
					h.Picker.Done(p, policies.Outcome{})
					key++
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpicks/s")
			})
		}
	}
}

// BenchmarkConnect is a channel from its first list until all n endpoints are READY, and the cost
// is that of one endpoint. Each of them is a report, and each report looks at all.
func BenchmarkConnect(b *testing.B) {
	for _, name := range names() {
		for _, n := range []int{10, 100, 1000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					readyHost(sample(name), n, 1)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/endpoint")
			})
		}
	}
}

// BenchmarkPickByWeight is one RPC of weighted_round_robin where each reply has a report and the
// strongest endpoint is ten times as strong as the weakest.
func BenchmarkPickByWeight(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h, loads := weightedHost(n)
			b.ReportAllocs()
			for b.Loop() {
				p := h.Picker.Pick(policies.Call{})
				h.Picker.Done(p, policies.Outcome{Load: &loads[p.SubConn]})
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpicks/s")
		})
	}
}

// weightedHost returns a host of n endpoints that are weighted by the loads that it returns.
func weightedHost(n int) (*policytest.Host, []policies.Load) {
	h := readyHost(wrr(nil), n, 1)
	loads := make([]policies.Load, n)
	for i := range loads {
		loads[i] = policies.Load{QPS: 100, CPU: 0.1 + 0.9*float64(i)/float64(n)}
	}
	for range 2 * n {
		p := h.Picker.Pick(policies.Call{})
		h.Picker.Done(p, policies.Outcome{Load: &loads[p.SubConn]})
	}
	h.Advance(time.Second)
	return h, loads
}
