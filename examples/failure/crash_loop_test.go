package failure_test

import (
	"slices"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/models"

	"example.com/failure"
)

const text = `
duration = "12s"

[clients.c]
rate = "100/s"

[backends.b]
count   = 2
workers = 4
service = "20ms"

[failures.crash_loop]
backends = ["b/0"]
from     = "2s"
to       = "9s"
down     = "1s"
up       = "3s"

[policies.round_robin]
`

var options = experiments.Options{Kinds: experiments.Kinds{
	Failures: map[string]models.Failure{"crash_loop": failure.Default},
}}

// The backend is away from 2s to 3s and from 6s to 7s: nothing is in flight there.
func TestBackendCrashesAgainAndAgain(t *testing.T) {
	e, err := experiments.Parse("crash.toml", []byte(text), options)
	if err != nil {
		t.Fatal(err)
	}
	results, err := experiments.Run(t.Context(), e, experiments.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var away []float64
	for _, bin := range results.Runs[0].Series {
		if bin.InFlight[0] == 0 {
			away = append(away, bin.Start.Seconds())
		}
	}
	if want := []float64{2, 6}; !slices.Equal(away, want) {
		t.Errorf("nothing is in flight at b/0 in the seconds from %v on, want %v", away, want)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	wrong := strings.Replace(text, `down     = "1s"`, `down     = "0s"`, 1)
	_, err := experiments.Parse("crash.toml", []byte(wrong), options)
	const want = "crash.toml:16: failures.crash_loop.down: must be longer than 0s"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
