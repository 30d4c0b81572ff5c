package serviceconfig

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"lbsim/policies"
)

func TestPolicies(t *testing.T) {
	two, three := policies.LeastRequest{ChoiceCount: 2}, policies.LeastRequest{ChoiceCount: 3}
	const leastRequest = "least_request_experimental"
	tests := []struct {
		name, text, want string
		policy           policies.Policy
	}{
		{"nothing said", `{}`, "pick_first", policies.PickFirst{}},
		{"null", `null`, "pick_first", policies.PickFirst{}},
		{"the old field", `{"loadBalancingPolicy":"round_robin"}`, "round_robin",
			policies.RoundRobin{}},
		{"the old field, with defaults", `{"loadBalancingPolicy":"least_request_experimental"}`,
			leastRequest, two},
		{"the old field, misspelt", `{"loadBalancingPolicy":"round_robn"}`, "pick_first",
			policies.PickFirst{}},
		{"case counts", `{"loadBalancingPolicy":"ROUND_ROBIN"}`, "pick_first",
			policies.PickFirst{}},
		{"lbsim's name is not grpc-go's", `{"loadBalancingPolicy":"least_request"}`, "pick_first",
			policies.PickFirst{}},
		{"lbsim's own policy", `{"loadBalancingPolicy":"random"}`, "pick_first",
			policies.PickFirst{}},
		{"the list wins", `{"loadBalancingPolicy":"pick_first",` +
			`"loadBalancingConfig":[{"round_robin":{}}]}`, "round_robin", policies.RoundRobin{}},
		{"a list that is null", `{"loadBalancingConfig":null,"loadBalancingPolicy":"round_robin"}`,
			"round_robin", policies.RoundRobin{}},
		{"the last list", `{"loadBalancingConfig":5,"loadBalancingConfig":[{"round_robin":{}}]}`,
			"round_robin", policies.RoundRobin{}},
		{"the first known", `{"loadBalancingConfig":[{"fancy":5},{"round_robin":{}},` +
			`{"pick_first":5},{},null,{"a":1,"b":2}]}`, "round_robin", policies.RoundRobin{}},
		{"options that nobody reads", `{"loadBalancingConfig":[{"round_robin":5}]}`, "round_robin",
			policies.RoundRobin{}},
		{"options", `{"loadBalancingConfig":[{"least_request_experimental":{"choiceCount":3}}]}`,
			leastRequest, three},
		{"options in any case, unknown ones", `{"loadBalancingConfig":[{` +
			`"least_request_experimental":{"ChoiceCOUNT":3,"choice_count":1}}]}`,
			leastRequest, three},
		{"no options", `{"loadBalancingConfig":[{"least_request_experimental":null}]}`,
			leastRequest, two},
		{"a name twice: its last options",
			`{"loadBalancingConfig":[{"pick_first":5,"pick_first":{"shuffleAddressList":true}}]}`,
			"pick_first", policies.PickFirst{ShuffleAddressList: true}},
	}
	for _, test := range tests {
		c := mustParse(t, test.text)
		if c.PolicyName != test.want || c.Policy != test.policy {
			t.Errorf("%s: %s: got %s %+v, want %s %+v", test.name, test.text, c.PolicyName,
				c.Policy, test.want, test.policy)
		}
	}
}

func TestPoliciesAreRefused(t *testing.T) {
	const wrong = "; grpc-go refuses the whole config"
	const lack = ", which lbsim does not simulate"
	tests := []struct{ name, list, want string }{
		{"no list", `{"round_robin":{}}`, ": must be a list of policies (is an object)" + wrong},
		{"an empty list", `[]`, ": names no policy that grpc-go knows" + wrong},
		{"only unknown ones", `[{"fancy":{}}]`, ": names no policy that grpc-go knows" + wrong},
		{"two in one item", `[{"round_robin":{},"pick_first":{}}]`,
			"[0]: must have one member, the name of a policy" + wrong},
		{"none in an item", `[{}]`, "[0]: must have one member, the name of a policy" + wrong},
		{"an item that is null", `[null,{"round_robin":{}}]`,
			"[0]: must have one member, the name of a policy" + wrong},
		{"an item of another kind, even a late one", `[{"round_robin":{}},5]`,
			"[1]: must be an object (is 5)" + wrong},
		{"no fall-through to the next", `[{"least_request_experimental":{"choiceCount":1}},` +
			`{"round_robin":{}}]`,
			"[0].least_request_experimental.choiceCount: must be >= 2 (is 1)" + wrong},
		{"an option of another kind", `[{"pick_first":{"shuffleAddressList":666}}]`,
			"[0].pick_first.shuffleAddressList: must be true or false (is 666)" + wrong},
		{"an option out of range", `[{"least_request_experimental":{"choiceCount":4294967296}}]`,
			"[0].least_request_experimental.choiceCount: must be a whole number of 0 to " +
				"4294967295, without point, exponent and quotes (is 4294967296)" + wrong},
		{"options of another kind", `[{"pick_first":[]}]`,
			"[0].pick_first: must be an object (is a list)" + wrong},
		{"what lbsim lacks", `[{"cds_experimental":{}},{"round_robin":{}}]`,
			"[0].cds_experimental: grpc-go would run cds_experimental" + lack},
		{"what lbsim lacks, inside", `[{"random_subsetting_experimental":{"subsetSize":3,` +
			`"childPolicy":[{"cds_experimental":{}}]}}]`,
			"[0].random_subsetting_experimental.childPolicy[0].cds_experimental: grpc-go would " +
				"run cds_experimental" + lack},
		{"nothing inside", `[{"random_subsetting_experimental":{"subsetSize":3,` +
			`"childPolicy":null}}]`,
			"[0].random_subsetting_experimental.childPolicy: must be specified, such as " +
				`"round_robin"` + wrong},
	}
	for _, test := range tests {
		_, err := Parse([]byte(`{"loadBalancingConfig":`+test.list+`}`), catalog)
		want := "loadBalancingConfig" + test.want
		bad, ok := err.(*Error)
		if !ok || err.Error() != want || bad.Valid != strings.HasSuffix(want, lack) {
			t.Errorf("%s: %s:\ngot  %v\nwant %s", test.name, test.list, err, want)
		}
	}
}

// A registered name must lead to a policy; that of a policy which is there is spelt as in the
// catalog.
func TestTheTableKnowsTheCatalog(t *testing.T) {
	var ours, names []string
	for _, g := range registered {
		ours, names = append(ours, g.ours), append(names, g.name)
	}
	if !slices.IsSorted(names) {
		t.Errorf("not sorted: %q", names)
	}
	for _, name := range []string{
		"least_request", "pick_first", "random_subsetting", "ring_hash", "round_robin",
	} {
		if _, ok := catalog(name); !ok || !slices.Contains(ours, name) {
			t.Errorf("%s is not in both the table and the catalog %q", name,
				slices.Sorted(maps.Keys(policies.Catalog)))
		}
	}
}

// outlier stands for a policy with all kinds of options.
type outlier struct {
	Interval  time.Duration   `toml:"interval" json:"interval"`
	Base      time.Duration   `toml:"base_ejection_time" json:"baseEjectionTime"`
	Percent   uint32          `toml:"max_ejection_percent" json:"maxEjectionPercent"`
	Failures  *failures       `toml:"failure_percentage_ejection" json:"failurePercentageEjection"`
	Weights   []float64       `toml:"weights" json:"weights"`
	Child     policies.Policy `toml:"child" json:"childPolicy"`
	Left      string          `toml:"left" json:"-"`
	unseen    int
	Untagged  bool
	CodeOnly  policies.Code `json:"code,omitempty"`
	Described described     `json:"described"`
}

type failures struct {
	Threshold      uint32 `toml:"threshold" json:"threshold"`
	MinimumHosts   uint32 `toml:"minimum_hosts" json:"minimumHosts"`
	RequestVolume  uint32 `toml:"request_volume" json:"requestVolume"`
	EnforcementPct uint32 `toml:"enforcement_percentage" json:"enforcementPercentage"`
}

// described reads itself.
type described string

func (d *described) UnmarshalJSON(text []byte) error {
	if string(text) == "0" {
		return fmt.Errorf("must not\nbe 0")
	}
	*d = described(text)
	return nil
}

func (*outlier) Build(policies.Host) policies.Balancer { return nil }
func (*outlier) Doc() string                           { return "" }

func (o *outlier) Check() error {
	if f := o.Failures; f != nil && f.Threshold > 100 {
		return fmt.Errorf("failure_percentage_ejection.threshold: must be <= 100 (is %d)",
			f.Threshold)
	}
	return nil
}

func outlierPrototype() *outlier {
	return &outlier{Interval: 10 * s, Base: 30 * s, Percent: 10, Weights: []float64{1, 2},
		Failures: &failures{Threshold: 85, MinimumHosts: 5}, Child: policies.RoundRobin{},
		unseen: 1}
}

func withOutlier(prototype *outlier) func(string) (policies.Policy, bool) {
	return func(name string) (policies.Policy, bool) {
		if name == "outlier_detection" {
			return prototype, true
		}
		return catalog(name)
	}
}

func TestOptionsAreLaidOverThePrototype(t *testing.T) {
	prototype := outlierPrototype()
	c, err := Parse(readFile(t, "grpc-go-outlier-failure-percentage.json"), withOutlier(prototype))
	if err != nil {
		t.Fatal(err)
	}
	want := outlierPrototype()
	want.Interval, want.Child = 50*ms, policies.PickFirst{}
	want.Failures = &failures{Threshold: 50, EnforcementPct: 100, RequestVolume: 2}
	if !equal(c.Policy, want) || c.PolicyName != "outlier_detection_experimental" {
		t.Errorf("got %s %s, want %s", c.PolicyName, show(c.Policy), show(want))
	}
	options := `{"weights":[5],"LEFT":"x","left":"x","unseen":7,"untagged":true,"code":"ABORTED",` +
		`"childPolicy":[{"fancy":1},{"pick_first":{"shuffleAddressList":true}}],` +
		`"described":{ "a":1},"failurePercentageEjection":{"threshold":7}}`
	c, err = Parse([]byte(`{"loadBalancingConfig":[{"outlier_detection_experimental":`+options+
		`}]}`), withOutlier(prototype))
	if err != nil {
		t.Fatal(err)
	}
	want = outlierPrototype()
	want.Weights, want.Untagged, want.CodeOnly = []float64{5}, true, policies.Aborted
	want.Child, want.Failures.Threshold = policies.PickFirst{ShuffleAddressList: true}, 7
	want.Described = `{ "a":1}`
	if !equal(c.Policy, want) {
		t.Errorf("got %s, want %s", show(c.Policy), show(want))
	}
	if !equal(prototype, outlierPrototype()) {
		t.Errorf("the prototype has become %s", show(prototype))
	}
}

func TestOptionsOfAllKindsAreRefused(t *testing.T) {
	const path = "loadBalancingConfig[0].outlier_detection_experimental"
	tests := []struct{ options, want string }{
		{`{"failurePercentageEjection":{"threshold":101}}`,
			".failurePercentageEjection.threshold: must be <= 100 (is 101)"},
		{`{"interval":10}`, `.interval: must be seconds as text, such as "1.5s" (is 10)`},
		{`{"weights":[1,"x"]}`, `.weights[1]: must be a number (is "x")`},
		{`{"described":0}`, ".described: must not be 0"},
		{`{"childPolicy":[{"least_request_experimental":{"choiceCount":0}}]}`,
			".childPolicy[0].least_request_experimental.choiceCount: must be >= 2 (is 0)"},
		{`{"childPolicy":[]}`, ".childPolicy: names no policy that grpc-go knows"},
	}
	for _, test := range tests {
		text := `{"loadBalancingConfig":[{"outlier_detection_experimental":` + test.options + `}]}`
		_, err := Parse([]byte(text), withOutlier(outlierPrototype()))
		want := path + test.want + "; grpc-go refuses the whole config"
		if err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", test.options, err, want)
		}
	}
}

func TestPoliciesAreNotNestedWithoutEnd(t *testing.T) {
	nest := func(depth int) []byte {
		const open, end = `[{"outlier_detection_experimental":{"childPolicy":`, `}}]`
		return []byte(`{"loadBalancingConfig":` + strings.Repeat(open, depth) +
			`[{"pick_first":{}}]` + strings.Repeat(end, depth) + `}`)
	}
	known := withOutlier(outlierPrototype())
	if _, err := Parse(nest(maxNesting-1), known); err != nil {
		t.Errorf("%d deep: %v", maxNesting, err)
	}
	_, err := Parse(nest(3000), known)
	if bad, ok := err.(*Error); !ok || !bad.Valid || len(bad.Path) > 100*maxNesting {
		t.Errorf("3000 deep: %v", err)
	}
}
