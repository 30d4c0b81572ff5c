package serviceconfig

import (
	"math"
	"strings"
	"testing"
	"time"

	"lbsim/policies"
)

// entryOf is a config with an entry for the service s.
func entryOf(fields string) string {
	return `{"methodConfig":[{"name":[{"service":"s"}],` + fields + `}]}`
}

// retryOf is a config with a good retryPolicy but for what is changed.
func retryOf(changes ...string) string {
	const good = `"retryPolicy":{"maxAttempts":3,"initialBackoff":"1s","maxBackoff":"2s",` +
		`"backoffMultiplier":2,"retryableStatusCodes":["UNAVAILABLE"]}`
	return entryOf(strings.NewReplacer(changes...).Replace(good))
}

var goodRetry = Retry{3, 1 * s, 2 * s, 2, codes(policies.Unavailable)}

func TestMethodsGetTheirEntry(t *testing.T) {
	names := mustParse(t, `{"methodConfig":[
		{"name":[{}],"timeout":"1s","waitForReady":true},
		{"name":[{"service":"s"},{"service":"t"}],"timeout":"2s"},
		{"name":[{"service":"s","method":"m"}],"waitForReady":false}]}`)
	service := mustParse(t, `{"methodConfig":[{"name":[{"service":"s"}],"timeout":"2s"}]}`)
	slashes := mustParse(t, `{"methodConfig":[{"name":[{"service":"a/b","method":"c/d"}],
		"timeout":"4s"},{"name":[{"service":"a/b/c"}],"timeout":"5s"}]}`)
	tests := []struct {
		name   string
		config *Config
		method string
		want   Method
	}{
		{"the method itself, nothing merged in", names, "/s/m", Method{WaitForReady: ptr(false)}},
		{"its service", names, "/s/other", Method{Timeout: ptr(2 * s)}},
		{"another name in the entry", names, "/t/m", Method{Timeout: ptr(2 * s)}},
		{"the default", names, "/u/m", Method{Timeout: ptr(1 * s), WaitForReady: ptr(true)}},
		{"no slash: the default", names, "m", Method{Timeout: ptr(1 * s), WaitForReady: ptr(true)}},
		{"case counts", names, "/S/m", Method{Timeout: ptr(1 * s), WaitForReady: ptr(true)}},
		{"no default: nothing", service, "/u/m", Method{}},
		{"no name: nothing", service, "", Method{}},
		{"slashes in names", slashes, "/a/b/c/d", Method{Timeout: ptr(4 * s)}},
		{"the last slash parts service and method", slashes, "/a/b/c/e",
			Method{Timeout: ptr(5 * s)}},
	}
	for _, test := range tests {
		if got := test.config.Method(test.method); !equal(got, &test.want) {
			t.Errorf("%s: Method(%q) = %s, want %s", test.name, test.method, show(got),
				show(&test.want))
		}
	}
}

func TestEntriesMean(t *testing.T) {
	retry := func(change func(r *Retry)) Method {
		r := goodRetry
		change(&r)
		return Method{Retry: &r}
	}
	tests := []struct {
		name, text string
		want       Method
	}{
		{"a retryPolicy", retryOf(), retry(func(*Retry) {})},
		{"more than 5 attempts are 5", retryOf(`:3`, `:50`),
			retry(func(r *Retry) { r.MaxAttempts = 5 })},
		{"two attempts are the fewest", retryOf(`:3`, `:2`),
			retry(func(r *Retry) { r.MaxAttempts = 2 })},
		{"maxBackoff below initialBackoff", retryOf(`"2s"`, `".5s"`),
			retry(func(r *Retry) { r.MaxBackoff = 500 * ms })},
		{"codes by number, and twice", retryOf(`"UNAVAILABLE"`, `14,0,16,14`),
			retry(func(r *Retry) { r.Codes = 1<<14 | 1 | 1<<16 })},
		{"a code that is null is OK", retryOf(`"UNAVAILABLE"`, `null`),
			retry(func(r *Retry) { r.Codes = 1 })},
		{"a timeout of 0 is over at once", entryOf(`"timeout":"0s"`), Method{Timeout: ptr(0 * s)}},
		{"a negative timeout is none", entryOf(`"timeout":"-1s"`), Method{}},
		{"null is absent", entryOf(`"timeout":null,"waitForReady":null,"retryPolicy":null`),
			Method{}},
		{"any size of messages", entryOf(`"maxRequestMessageBytes":-1,` +
			`"maxResponseMessageBytes":9223372036854775807`),
			Method{MaxRequestBytes: ptr(int64(-1)), MaxResponseBytes: ptr(int64(math.MaxInt64))}},
		{"hedging", entryOf(`"hedgingPolicy":{"maxAttempts":9,"hedgingDelay":"0.5s",` +
			`"nonFatalStatusCodes":["UNAVAILABLE"]}`),
			Method{Hedging: &Hedging{5, 500 * ms, codes(policies.Unavailable)}}},
		{"hedging all at once", entryOf(`"hedgingPolicy":{"maxAttempts":2}`),
			Method{Hedging: &Hedging{MaxAttempts: 2}}},
		{"hedging that makes no sense is ignored", entryOf(`"hedgingPolicy":{"maxAttempts":1}`),
			Method{}},
		{"hedging beside a retryPolicy is ignored", strings.Replace(retryOf(), `"retryPolicy"`,
			`"hedgingPolicy":{"maxAttempts":2},"retryPolicy"`, 1), retry(func(*Retry) {})},
		{"names in any case", `{"METHODCONFIG":[{"Name":[{"SERVICE":"s"}],"TimeOut":"1s"}]}`,
			Method{Timeout: ptr(1 * s)}},
		{"unknown fields are ignored", entryOf(`"timeOuts":5,"timeout":"1s"`),
			Method{Timeout: ptr(1 * s)}},
		{"escapes", `{"method\u0043onfig":[{"name":[{"service":"\u0073"}],"timeout":"\u0031s"}]}`,
			Method{Timeout: ptr(1 * s)}},
		{"given twice: objects are merged", strings.Replace(retryOf(), `}]}`,
			`,"retryPolicy":{"maxAttempts":4}}]}`, 1),
			retry(func(r *Retry) { r.MaxAttempts = 4 })},
		{"given twice: items of lists are merged", `{"methodConfig":[{"name":[{"service":"s"}],` +
			`"timeout":"1s"}],"methodConfig":[{"waitForReady":true}]}`,
			Method{Timeout: ptr(1 * s), WaitForReady: ptr(true)}},
		{"given twice: null leaves a number", retryOf(`:3`, `:3,"maxAttempts":null`),
			retry(func(*Retry) {})},
		{"given twice: null takes a timeout away", entryOf(`"timeout":"1s","timeout":null`),
			Method{}},
	}
	for _, test := range tests {
		if got := mustParse(t, test.text).Method("/s/m"); !equal(got, &test.want) {
			t.Errorf("%s: %s: got %s, want %s", test.name, test.text, show(got), show(&test.want))
		}
	}
}

func TestDurations(t *testing.T) {
	const most, least = time.Duration(math.MaxInt64), time.Duration(math.MinInt64)
	tests := []struct {
		text string
		want time.Duration
	}{
		{"1s", s}, {"0.000000001s", 1}, {".5s", s / 2}, {"1.s", s}, {"-1.5s", -3 * s / 2},
		{"-.5s", -s / 2}, {"-0s", 0}, {"+1s", s}, {"--1s", s}, {".+5s", 50 * ms},
		{"1.-5s", 950 * ms},
		{"9223372036.854775806s", most - 1}, {"9223372036.854775807s", most},
		{"9223372037s", most}, {"315576000000s", most}, {"-9223372036.854775807s", least + 1},
		{"-9223372036.854775808s", least}, {"-9223372037s", least}, {"-315576000000s", least},
		{"--315576000001s", most},
	}
	for _, test := range tests {
		var got time.Duration
		if wrong := readDuration(newNode([]byte(`"`+test.text+`"`)), &got); wrong != "" ||
			got != test.want {
			t.Errorf("%s: got %v %s, want %v", test.text, got, wrong, test.want)
		}
	}
	for _, text := range strings.Split(`"" "s" "-s" ".s" "1" "1ms" "1m" "1S" "1_0s" "1e1s" "0x1s"
		"1..s" "1.2.3s" "0.0000000001s" "315576000001s" "-315576000001s" "99999999999999999999s"
		"1,5s" "s1" 5 5.5 null true {} [] {"seconds":5}`, " ") {
		var got time.Duration
		if wrong := readDuration(newNode([]byte(text)), &got); wrong == "" || got != 0 {
			t.Errorf("%s: got %v and no error", text, got)
		}
	}
}

func TestCodesByName(t *testing.T) {
	for code := range policies.Codes {
		var got policies.Code
		if wrong := readCode(newNode([]byte(`"`+code.String()+`"`)), &got); wrong != "" ||
			got != code {
			t.Errorf("%v: got %v %s", code, got, wrong)
		}
	}
}
