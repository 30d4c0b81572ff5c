package dist

import (
	"encoding/json"
	"fmt"
	"time"
)

// ghzReport is what is needed of the JSON that ghz, a load generator for gRPC, writes with
// --format=json.
type ghzReport struct {
	Count   *int // calls made
	Details []struct {
		Latency *int64 // ns
		Status  string // a gRPC code in words; OK in English and in ghz
	}
}

// readGhz reads the latencies of those calls of a report that ended with status OK.
//
// The report's count must be the number of its detail rows. ghz can lose rows, and a distribution
// fitted to what is left would lack most likely the slowest calls, so such a report is refused.
func readGhz(name string, data []byte) ([]time.Duration, error) {
	var report ghzReport
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, fmt.Errorf("%s: not a ghz report: %w", name, err)
	}
	rows := len(report.Details)
	switch {
	case report.Count == nil || rows == 0:
		return nil, fmt.Errorf("%s: not a ghz report: it needs count and details "+
			"(for others write one duration a line, e.g. 3.2ms)", name)
	case *report.Count != rows:
		return nil, fmt.Errorf("%s: ghz report says count %d but has %d detail rows: "+
			"what is missing may be the slowest calls; measure again", name, *report.Count, rows)
	}
	var list []time.Duration
	for i, row := range report.Details {
		if row.Status != "OK" {
			continue
		}
		if row.Latency == nil || *row.Latency <= 0 {
			return nil, fmt.Errorf("%s: details[%d]: an OK call must have a latency above 0 ns",
				name, i)
		}
		list = append(list, time.Duration(*row.Latency))
	}
	if list == nil {
		return nil, fmt.Errorf("%s: none of the %d calls ended with status OK", name, rows)
	}
	return list, nil
}
