package dist

import (
	"bytes"
	"math"
	"testing"
	"time"
)

// The values are the report's own. Where u n is whole, ghz takes the next greater latency for the
// percentile, so the test asks just above u.
func TestFileOfGhzReport(t *testing.T) {
	d := mustParse(t, "file(sayhellos-report5.json)")
	rows := []struct {
		u    float64
		want time.Duration
	}{
		{0, 111_239_756}, {0.1, 128_259_010}, {0.25, 135_164_502}, {0.5, 145_690_484},
		{0.75, 159_702_371}, {0.9, 175_379_065}, {0.95, 181_585_588}, {0.99, 198_968_714},
		{1 - 1e-9, 201_567_661},
	}
	for _, r := range rows {
		if got := d.Quantile(r.u + 1e-10); got != r.want {
			t.Errorf("Quantile(%v) = %d, want %d", r.u, got, r.want)
		}
	}
	if math.Abs(d.Mean()-0.1485991104) > 1e-10 {
		t.Errorf("Mean() = %v, want 0.1485991104", d.Mean())
	}
}

func TestFileOfLines(t *testing.T) {
	const content = "\ufeff# two durations\r\n\r\n 1s # fast\n3000ms"
	d, err := Parse("file(x)", func(string) ([]byte, error) { return []byte(content), nil })
	if err != nil {
		t.Fatal(err)
	}
	if d.Mean() != 2 || d.Variance() != 1 {
		t.Errorf("mean %v, variance %v, want 2 and 1", d.Mean(), d.Variance())
	}
	for _, r := range []struct {
		u    float64
		want time.Duration
	}{
		{0x1p-53, time.Second}, {0.5, time.Second}, {0.5 + 0x1p-53, 3 * time.Second},
		{1 - 0x1p-53, 3 * time.Second},
	} {
		if got := d.Quantile(r.u); got != r.want {
			t.Errorf("Quantile(%v) = %v, want %v", r.u, got, r.want)
		}
	}
}

// Calls that failed tell nothing of how long service takes.
func TestFileSkipsFailedCalls(t *testing.T) {
	report := []byte(`{"count": 3, "details": [{"latency": 7, "status": "OK"},
		{"latency": 1, "status": "Unavailable", "error": "no"}, {"latency": 9, "status": "OK"}]}`)
	list, err := readGhz("x", bytes.TrimSpace(report))
	if err != nil || len(list) != 2 || list[0] != 7 || list[1] != 9 {
		t.Errorf("readGhz = %v, %v, want the two of status OK", list, err)
	}
}
