package policies

import (
	"fmt"
	"testing"
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
					h.picker.Done(h.picker.Pick(Call{Header: keyed, Key: key}), Outcome{})
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
