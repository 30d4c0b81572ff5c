package serviceconfig

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lbsim/policies"
)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func catalog(name string) (policies.Policy, bool) {
	p, ok := policies.Catalog[name]
	return p, ok
}

func mustParse(t testing.TB, text string) *Config {
	t.Helper()
	c, err := Parse([]byte(text), catalog)
	if err != nil {
		t.Fatalf("Parse(%s): %v", text, err)
	}
	return c
}

func codes(all ...policies.Code) Codes { return codeSet(all) }

func ptr[T any](v T) *T { return &v }

const (
	ms = time.Millisecond
	s  = time.Second
)

func TestFilesThatGrpcGoTakes(t *testing.T) {
	unavailable := codes(policies.Unavailable)
	publish := codes(policies.Aborted, policies.Canceled, policies.Internal,
		policies.ResourceExhausted, policies.Unknown, policies.Unavailable,
		policies.DeadlineExceeded)
	java := Retry{3, 2100 * ms, 2200 * ms, 3,
		codes(policies.Unavailable, policies.ResourceExhausted)}
	foo := Retry{5, 100 * ms, 1 * s, 2, unavailable}
	read := codes(policies.Unavailable, policies.Internal, policies.DeadlineExceeded)
	tests := []struct {
		file, method string
		want         Method
	}{
		{"googleapis-pubsub.json", "/google.pubsub.v1.Publisher/Publish",
			Method{Timeout: ptr(60 * s), Retry: &Retry{5, 100 * ms, 60 * s, 4, publish}}},
		{"googleapis-pubsub.json", "/google.pubsub.v1.Publisher/CreateTopic",
			Method{Timeout: ptr(60 * s), Retry: &Retry{5, 100 * ms, 60 * s, 1.3, unavailable}}},
		{"googleapis-pubsub.json", "/google.pubsub.v1.Publisher/NoSuchMethod", Method{}},
		{"googleapis-firestore.json", "/google.firestore.v1.Firestore/BatchGetDocuments",
			Method{Timeout: ptr(300 * s), Retry: &Retry{5, 100 * ms, 60 * s, 1.3, read}}},
		{"googleapis-firestore.json", "/google.firestore.v1.Firestore/Write",
			Method{Timeout: ptr(86400 * s)}},
		{"grpc-java-test-retry.json", "/SimpleService1/Any",
			Method{WaitForReady: ptr(false), Retry: &java}},
		{"grpc-java-test-retry.json", "/SimpleService1/Foo1",
			Method{WaitForReady: ptr(true), Retry: &foo}},
		{"grpc-java-test-retry.json", "/SimpleService2/Foo2",
			Method{WaitForReady: ptr(true), Retry: &foo}},
		{"grpc-java-test-retry.json", "/SimpleService2/Any", Method{WaitForReady: ptr(false)}},
		{"grpc-java-example-hedging.json", "/helloworld.Greeter/SayHello",
			Method{Hedging: &Hedging{MaxAttempts: 3, Delay: 1 * s}}},
		{"cerbos-sdk.json", "/any.Service/Any",
			Method{Timeout: ptr(5 * s), MaxRequestBytes: ptr(int64(1 << 20)),
				Retry: &Retry{3, 200 * ms, 5 * s, 2, unavailable}}},
		{"cerbos-sdk.json", "/cerbos.cloud.store.v1.CerbosStoreService/ModifyFiles",
			Method{Timeout: ptr(10 * s), MaxRequestBytes: ptr(int64(20 << 20))}},
		{"grpc-go-example-retry.json", "/grpc.examples.echo.Echo/UnaryEcho",
			Method{Retry: &Retry{4, 10 * ms, 10 * ms, 1, unavailable}}},
	}
	for _, test := range tests {
		c := mustParse(t, string(readFile(t, test.file)))
		if got := c.Method(test.method); !equal(got, &test.want) {
			t.Errorf("%s: %s: got %s, want %s", test.file, test.method, show(got), show(&test.want))
		}
	}
}

func TestFilesSayWhatConcernsTheChannel(t *testing.T) {
	tests := []struct {
		file     string
		name     string
		policy   policies.Policy
		throttle *Throttle
		health   *string
		methods  int
	}{
		{"googleapis-pubsub.json", "pick_first", policies.PickFirst{}, nil, nil, 41},
		{"googleapis-firestore.json", "pick_first", policies.PickFirst{}, nil, nil, 17},
		{"grpc-java-test-retry.json", "round_robin", policies.RoundRobin{},
			&Throttle{10, 0.1}, nil, 4},
		{"grpc-java-example-hedging.json", "pick_first", policies.PickFirst{},
			&Throttle{10, 0.1}, nil, 1},
		{"cerbos-sdk.json", "pick_first", policies.PickFirst{}, &Throttle{10, 0.5}, nil, 3},
		{"grpc-go-example-retry.json", "pick_first", policies.PickFirst{}, nil, nil, 1},
		{"grpc-go-example-health.json", "round_robin", policies.RoundRobin{}, nil, ptr(""), 0},
		{"grpc-go-shuffle.json", "pick_first",
			policies.PickFirst{ShuffleAddressList: true}, nil, nil, 0},
	}
	for _, test := range tests {
		c := mustParse(t, string(readFile(t, test.file)))
		got := []any{c.PolicyName, c.Policy, c.Throttle, c.HealthService, len(c.methods)}
		want := []any{test.name, test.policy, test.throttle, test.health, test.methods}
		if !equal(got, want) {
			t.Errorf("%s: got %s, want %s", test.file, show(got), show(want))
		}
	}
}

func TestFilesDifferByMethod(t *testing.T) {
	tests := []struct {
		file, method string
		timeout      time.Duration
		multiplier   float64
		codes        string
	}{
		{"googleapis-pubsub.json", "/google.pubsub.v1.Subscriber/StreamingPull", 1800 * s, 4,
			"[DEADLINE_EXCEEDED RESOURCE_EXHAUSTED ABORTED INTERNAL UNAVAILABLE]"},
		{"googleapis-pubsub.json", "/google.pubsub.v1.Subscriber/Pull", 60 * s, 1.3,
			"[UNKNOWN ABORTED INTERNAL UNAVAILABLE]"},
		{"googleapis-firestore.json", "/google.firestore.v1.Firestore/Listen", 86400 * s, 1.3,
			"[DEADLINE_EXCEEDED RESOURCE_EXHAUSTED INTERNAL UNAVAILABLE]"},
	}
	for _, test := range tests {
		m := mustParse(t, string(readFile(t, test.file))).Method(test.method)
		got := fmt.Sprintln(*m.Timeout, m.Retry.Multiplier, m.Retry.Codes.list())
		want := fmt.Sprintln(test.timeout, test.multiplier, test.codes)
		if got != want {
			t.Errorf("%s: %s: got %s, want %s", test.file, test.method, got, want)
		}
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	tests := []struct {
		file, want string
		valid      bool
	}{
		{"googleapis-datamanager.json", "methodConfig[0].retryPolicy.maxAttempts: must be at " +
			"least 2 (is missing); grpc-go refuses the whole config", false},
		{"googleapis-connectors.json", "methodConfig[0].name[8]: " +
			`"/google.cloud.connectors.v1.Connectors/ListProviders" is in ` +
			"methodConfig[0].name[2] already; grpc-go refuses the whole config", false},
		{"orkes-conductor.json", "methodConfig[0].retryPolicy.maxAttempts: must be a whole " +
			"number without point, exponent and quotes (is 50.0); grpc-go refuses the whole config",
			false},
		{"grpc-go-dns-txt-choices.json", "must be an object (is a list); grpc-go refuses the " +
			"whole config", false},
	}
	for _, test := range tests {
		_, err := Parse(readFile(t, test.file), catalog)
		bad, ok := err.(*Error)
		if !ok || err.Error() != test.want || bad.Valid != test.valid {
			t.Errorf("%s: got %v, want %s", test.file, err, test.want)
		}
	}
}

// The corpus is what others compare with grpc-go, so the files must really be in it.
func TestFilesAreInTheCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) != 13 {
		t.Fatalf("got files %q, %v; want 13", files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		kept := "file_" + strings.ReplaceAll(strings.TrimSuffix(name, ".json"), "-", "_")
		if !bytes.Equal(corpus(t)[kept], readFile(t, name)) {
			t.Errorf("testdata/fuzz/FuzzParse/%s is not %s", kept, file)
		}
	}
}
