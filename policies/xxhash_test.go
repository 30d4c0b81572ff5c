package policies

import "testing"

// What github.com/cespare/xxhash/v2 v2.3.0 makes of the same, also with a seed.
func TestXXHash(t *testing.T) {
	for _, row := range []struct {
		seed uint64
		text string
		want uint64
	}{
		{0, "", 17241709254077376921},
		{0, "a_0", 7866922100246443948},
		{0, "a_1", 18017992814255492179},
		{0, "foo", 3728699739546630719},
		{0, "some-value", 1094076000777946959},
		{0, "value1,value2", 7597366331508923242},
		{0, "10.0.0.1:80_0", 8431885850995268104},
		{0, "1", 13237225503670494420},
		{0, `{Addr: "endpoint-0", ServerName: "", }`, 6818925250826085568},
		{0, `{Addr: "endpoint-1", ServerName: "", }`, 7346931813606587235},
		{0, `{Addr: "endpoint-6", ServerName: "", }`, 5117540110839280842},
	} {
		if got := xxHash(row.seed, []byte(row.text)); got != row.want {
			t.Errorf("%q with seed %d: %d, want %d", row.text, row.seed, got, row.want)
		}
	}
}
