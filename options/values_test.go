package options_test

import (
	"math"
	"testing"
	"time"

	"lbsim/options"
)

func TestDurations(t *testing.T) {
	for _, row := range []struct {
		text string
		want time.Duration
		back string // as it is written again
	}{
		{"0", 0, "0s"},
		{"0s", 0, "0s"},
		{"200us", 200 * time.Microsecond, "200us"},
		{"200µs", 200 * time.Microsecond, "200us"},
		{"1500us", 1500 * time.Microsecond, "1.5ms"},
		{"10s", 10 * time.Second, "10s"},
		{"60s", time.Minute, "1m"},
		{"1m10s", 70 * time.Second, "1m10s"},
		{"10m", 10 * time.Minute, "10m"},
		{"90m", 90 * time.Minute, "1h30m"},
		{"1h", time.Hour, "1h"},
		{"100h", 100 * time.Hour, "100h"},
		{"1h0m10s", time.Hour + 10*time.Second, "1h0m10s"},
		{"0.1ns", 0, "0s"},
		{"9223372036854775807ns", math.MaxInt64, "2562047h47m16.854775807s"},
	} {
		d, err := options.ParseDuration(row.text)
		if err != nil || d != row.want {
			t.Errorf("%s: got %v, %v, want %v", row.text, d, err, row.want)
		}
		back := options.DurationText(d)
		if back != row.back {
			t.Errorf("%s: written as %s, want %s", row.text, back, row.back)
		}
		if again, err := options.ParseDuration(back); err != nil || again != d {
			t.Errorf("%s: written as %s, read again as %v, %v", row.text, back, again, err)
		}
	}
}

func TestDurationsRefused(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"10", `missing unit in "10" (write for instance 10ms)`},
		{"1.5", `missing unit in "1.5" (write for instance 1.5ms)`},
		{"-1ms", `must not be negative (is -1ms)`},
		{"", `"" is no duration (write for instance 200us, 10ms or 1.5s)`},
		{"10 ms", `"10 ms" is no duration: write no spaces, such as 10ms`},
		{"5 sec", `"5 sec" is no duration (write for instance 200us, 10ms or 1.5s)`},
		{"1d", `"1d" is no duration (write for instance 200us, 10ms or 1.5s)`},
		{"ms", `"ms" is no duration (write for instance 200us, 10ms or 1.5s)`},
		{"NaN", `"NaN" is no duration (write for instance 200us, 10ms or 1.5s)`},
		{"inf", `"inf" is no duration (write for instance 200us, 10ms or 1.5s)`},
		{"infs", `"infs" is no duration (write for instance 200us, 10ms or 1.5s)`},
		{"1e3ms", `"1e3ms" is no duration (write for instance 200us, 10ms or 1.5s)`},
		{"3000000h", `"3000000h" is too long: at most 2562047h47m16.854775807s`},
		{"99999999999999999999s",
			`"99999999999999999999s" is too long: at most 2562047h47m16.854775807s`},
	} {
		d, err := options.ParseDuration(row.text)
		if err == nil || err.Error() != row.want {
			t.Errorf("%q: got %v, error %v, want error %s", row.text, d, err, row.want)
		}
	}
}

func TestRates(t *testing.T) {
	for _, row := range []struct {
		text string
		want float64 // per second
		back string
	}{
		{"4000/s", 4000, "4000/s"},
		{"0.5/s", 0.5, "0.5/s"},
		{"2.5/ms", 2500, "2500/s"},
		{"3/us", 3e6, "3e+06/s"},
		{"90/m", 1.5, "1.5/s"},
		{"49/m", 49. / 60, "0.8166666666666667/s"},
		{"3600/h", 1, "1/s"},
		{"1e3/s", 1000, "1000/s"},
		{"4000 /s", 4000, "4000/s"},
	} {
		var r options.Rate
		if err := r.UnmarshalText([]byte(row.text)); err != nil || float64(r) != row.want {
			t.Errorf("%s: got %v, %v, want %v", row.text, float64(r), err, row.want)
		}
		back, err := r.MarshalText()
		if err != nil || string(back) != row.back {
			t.Errorf("%s: written as %s, %v, want %s", row.text, back, err, row.back)
		}
		var again options.Rate
		if err := again.UnmarshalText(back); err != nil || again != r {
			t.Errorf("%s: written as %s, read again as %v, %v", row.text, back, again, err)
		}
	}
}

func TestRatesRefused(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"4000", `missing unit in "4000" (write for instance 4000/s)`},
		{"", `"" is no rate (write for instance 4000/s)`},
		{"0/s", `must be greater than 0/s (is 0/s)`},
		{"-1/s", `must be greater than 0/s (is -1/s)`},
		{"NaN/s", `must be greater than 0/s (is NaN/s)`},
		{"inf/s", `inf/s is too high`},
		{"1e308/us", `1e308/us is too high`},
		{"1e-324/h", `must be greater than 0/s (is 1e-324/h)`},
		{"1e999/s", `"1e999/s" is no rate (write for instance 4000/s)`},
		{"many/s", `"many/s" is no rate (write for instance 4000/s)`},
		{"6k/s", `"6k/s" is no rate (write for instance 4000/s); did you mean 6000/s?`},
		{"1.5M/m", `"1.5M/m" is no rate (write for instance 4000/s); did you mean 1500000/m?`},
		{"100rps", `"100rps" is no rate (write for instance 4000/s); did you mean 100/s?`},
		{"100 qps", `"100 qps" is no rate (write for instance 4000/s); did you mean 100/s?`},
		{"6krps", `"6krps" is no rate (write for instance 4000/s); did you mean 6000/s?`},
		{"-6k/s", `"-6k/s" is no rate (write for instance 4000/s)`},
		{"/s", `"/s" is no rate (write for instance 4000/s)`},
		{"4000/d", `unknown unit "d" in "4000/d" (have us, ms, s, m, h)`},
		{"4000/", `unknown unit "" in "4000/" (have us, ms, s, m, h)`},
		{"4000/s/s", `unknown unit "s/s" in "4000/s/s" (have us, ms, s, m, h)`},
	} {
		r := options.Rate(7)
		err := r.UnmarshalText([]byte(row.text))
		if err == nil || err.Error() != row.want || r != 7 {
			t.Errorf("%q: got %v, error %v, want error %s", row.text, r, err, row.want)
		}
	}
}
