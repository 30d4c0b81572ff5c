package experiments_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
)

var (
	firstRandom  = flag.Uint64("first-random", 1, "the first of the random experiments")
	manyRandom   = flag.Uint64("many-random", 60, "how many random experiments are run")
	printRandom  = flag.Bool("print-random", false, "print each random experiment")
	refusedAt    = regexp.MustCompile(`my\.toml:\d+: `)
	mostRefused  = 0.05 // of the random experiments may not be valid
	everyResolve = uint64(5)
)

// Random experiments of the whole grammar run to their end, and what lbsim says of a run agrees
// with itself: in every run some equations and inequalities hold, and the table, the summary and
// the text say the same. With -many-random=10000 it is the long test of the same.
func TestRandomExperiments(t *testing.T) {
	refused := 0.0
	for n := *firstRandom; n < *firstRandom+*manyRandom; n++ {
		text := randomExperiment(n)
		if *printRandom {
			t.Logf("experiment %d:\n%s", n, text)
		}
		file := write(t, map[string]string{"my.toml": text})
		e, err := experiments.Load(file, experiments.Options{})
		if err != nil {
			refused++
			if !refusedAt.MatchString(err.Error()) {
				t.Errorf("experiment %d is refused without a line: %v", n, err)
			}
			continue
		}
		files := results(t, e, 2)
		for _, broken := range disagreements(t, e, files) {
			t.Errorf("experiment %d: %s", n, broken)
		}
		if n%everyResolve == 0 {
			again := results(t, load(t, string(files["config.resolved.toml"])), 1)
			if !bytes.Equal(again["table.csv"], files["table.csv"]) {
				t.Errorf("experiment %d: its resolved file has other results", n)
			}
		}
	}
	if share := refused / float64(*manyRandom); share > mostRefused {
		t.Errorf("%.0f %% are refused, want at most %.0f", 100*share, 100*mostRefused)
	}
}

// run names a run of an experiment in its files.
type runName struct{ policy, seed, point string }

// tableOf reads the values of table.csv by run, metric, scope and x.
func tableOf(t *testing.T, data []byte, sweepKeys int) map[runName]map[[3]string]float64 {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	table := map[runName]map[[3]string]float64{}
	for _, row := range rows[1:] {
		name := runName{row[0], row[1], strings.Join(row[2:2+sweepKeys], ",")}
		row = row[2+sweepKeys:]
		value, err := strconv.ParseFloat(row[3], 64)
		if err != nil || math.IsNaN(value) {
			t.Fatalf("table.csv: value %q", row[3])
		}
		if table[name] == nil {
			table[name] = map[[3]string]float64{}
		}
		table[name][[3]string(row[:3])] = value
	}
	return table
}

// disagreements lists what is wrong with the files of an experiment.
func disagreements(
	t *testing.T, e *experiments.Experiment, files map[string][]byte,
) (broken []string) {
	t.Helper()
	var s experiments.Summary
	if err := json.Unmarshal(files["summary.json"], &s); err != nil {
		t.Fatal(err)
	}
	say := func(m *experiments.Measures) func(ok bool, format string, values ...any) {
		return func(ok bool, format string, values ...any) {
			if !ok {
				where := fmt.Sprintf("%s, seed %d %v: ", m.Policy, m.Seed, m.Point)
				broken = append(broken, where+fmt.Sprintf(format, values...))
			}
		}
	}
	if !s.Complete || len(s.Failed) > 0 {
		broken = append(broken, fmt.Sprintf("complete %v, failed %v", s.Complete, s.Failed))
	}
	table := tableOf(t, files["table.csv"], len(s.SweepKeys))
	for _, m := range s.Runs {
		var values []string
		for _, key := range s.SweepKeys {
			values = append(values, m.Point[key])
		}
		rows := table[runName{m.Policy, strconv.FormatUint(m.Seed, 10), strings.Join(values, ",")}]
		if rows == nil {
			broken = append(broken, "a run is not in table.csv")
			continue
		}
		countsHold(m, say(m))
		latenciesHold(m, say(m))
		backendsHold(m, say(m))
		tableAgrees(m, rows, say(m))
		for _, w := range m.Warnings {
			say(m)(w.Kind != analysis.Bug, "%s", w.Text)
		}
	}
	broken = append(broken, textDisagrees(&s, string(files["summary.txt"]))...)
	return broken
}

type check = func(ok bool, format string, values ...any)

func countsHold(m *experiments.Measures, must check) {
	r := m.RPCs
	must(r.Started == r.Ended+r.Open, "started %d, ended %d, open %d", r.Started, r.Ended, r.Open)
	var ended, failed uint64
	for _, n := range m.Codes {
		ended += n
	}
	for _, f := range m.Failed {
		failed += f.Count
	}
	must(ended <= r.Ended, "%d by code, %d ended", ended, r.Ended)
	must(m.WarmupS > 0 || ended == r.Ended, "%d by code, %d ended", ended, r.Ended)
	must(failed == ended-m.Codes["OK"], "%d failed by reason, %d by code", failed,
		ended-m.Codes["OK"])
	must((m.Values["error_ratio"] == nil) == (ended == 0), "error ratio %v of %d",
		m.Values["error_ratio"], ended)
	if m.Values["error_ratio"] != nil {
		must(nearly(*m.Values["error_ratio"], float64(failed)/float64(ended)),
			"error ratio %v, %d of %d failed",
			*m.Values["error_ratio"], failed, ended)
	}
	if m.Values["wasted_ratio"] != nil {
		must(*m.Values["wasted_ratio"] >= 0 && *m.Values["wasted_ratio"] <= 1, "wasted ratio %v",
			*m.Values["wasted_ratio"])
	}
}

// near allows for rounding.
func nearly(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

func latenciesHold(m *experiments.Measures, must check) {
	for _, p := range []analysis.Percentiles{m.LatencyOK, m.LatencyAll} {
		last := 0.0
		for _, v := range []*float64{p.P50, p.P75, p.P90, p.P95, p.P99, p.P999, p.P9999, p.Max} {
			if v != nil {
				must(*v >= last, "percentiles fall: %v after %v", *v, last)
				last = *v
			}
		}
		if p.Mean != nil && p.Max != nil {
			must(*p.Mean <= *p.Max, "mean %v above max %v", *p.Mean, *p.Max)
		}
	}
	must(m.LatencyOK.Count == int64(m.Codes["OK"]), "%d latencies of %d that ended OK",
		m.LatencyOK.Count, m.Codes["OK"])
	must(m.LatencyOK.Count <= m.LatencyAll.Count, "more OK than all")
}

func backendsHold(m *experiments.Measures, must check) {
	var share, capacity float64
	var attempts uint64
	for i := range m.Backends {
		b := &m.Backends[i]
		attempts += b.Attempts
		if b.CapacityShare != nil {
			capacity += *b.CapacityShare
		}
		if b.Share != nil {
			share += *b.Share
		}
		must(b.Utilization >= 0 && b.Utilization <= 1+1e-9, "%s: utilisation %v", b.Name,
			b.Utilization)
		must(b.InFlight <= float64(b.InFlightPeak)+1e-9, "%s: %v in flight, %d at most", b.Name,
			b.InFlight, b.InFlightPeak)
		must(b.Queue >= 0 && b.Queue <= float64(b.QueuePeak)+1e-9, "%s: queue %v, peak %d", b.Name,
			b.Queue, b.QueuePeak)
	}
	must(attempts == 0 || nearly(share, 1), "shares add up to %v", share)
	must(capacity == 0 || nearly(capacity, 1), "shares of the capacity add up to %v", capacity)
}
