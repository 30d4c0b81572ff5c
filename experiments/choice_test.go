package experiments_test

import (
	"fmt"
	"strings"
	"testing"

	"lbsim/experiments"
)

// choices is an experiment with the list of a DNS TXT record: for a tenth of the seeds, for another
// language, for another host, and for all others.
const choices = `
seed = 1
service_config = '''
[
  {"percentage": 10, "serviceConfig": {"loadBalancingConfig": [{"pick_first": {}}]}},
  {"clientLanguage": ["JAVA"], "serviceConfig": 5},
  {"clientHostName": ["canary"], "serviceConfig": 5},
  {"clientHostName": ["lbsim"], "serviceConfig": {"loadBalancingConfig": [{"round_robin": {}}]}}
]
'''
[clients.c]
rate = "10/s"
[backends.b]
service = "1ms"
`

func TestChoiceOfAServiceConfig(t *testing.T) {
	want := map[int]string{0: "pick_first", 3: "round_robin"}
	count := map[int]int{}
	const seeds = 400
	for seed := range seeds {
		text := strings.Replace(choices, "seed = 1", fmt.Sprint("seed = ", seed), 1)
		e := load(t, text)
		place := e.Point(0).Choice
		count[place]++
		if got := strings.Join(e.Policies, " "); got != want[place] {
			t.Fatalf("seed %d: choice %d, policies %s, want %s", seed, place, got, want[place])
		}
		if again := load(t, e.Resolved()); again.Point(0).Choice != place {
			t.Errorf("seed %d: choice %d, resolved %d", seed, place, again.Point(0).Choice)
		}
	}
	// Binomial with a tenth: standard deviation 6, and four of them.
	if count[0] < 40-24 || count[0] > 40+24 || count[0]+count[3] != seeds {
		t.Errorf("%d seeds chose %v, want a tenth of them 0, the others 3", seeds, count)
	}
	if e := load(t, served); e.Point(0).Choice != -1 {
		t.Errorf("without a list: choice %d, want -1", e.Point(0).Choice)
	}
}

func TestWrongChoices(t *testing.T) {
	for _, row := range []struct{ old, new, want string }{
		{`["lbsim"]`, `["canary"]`, "my.toml:3: service_config: none of the 4 choices is for a " +
			`client in Go on host "lbsim"; grpc-go refuses the whole config`},
		{`["JAVA"]`, `"JAVA"`, `my.toml:3: service_config: [1].clientLanguage: must be `},
		{`[{"round_robin": {}}]`, `[{"fancy": {}}]`, "my.toml:3: service_config: " +
			"[3].serviceConfig: loadBalancingConfig: names no policy"},
		{`"percentage": 10`, `"percentage": 0.5`, "my.toml:3: service_config: [0].percentage: "},
	} {
		text := strings.Replace(choices, row.old, row.new, 1)
		file := write(t, map[string]string{"my.toml": text})
		_, err := experiments.Load(file, experiments.Options{})
		if got := fmt.Sprint(err); !strings.Contains(got, row.want) {
			t.Errorf("%s: got %s, want %s", row.new, got, row.want)
		}
	}
}
