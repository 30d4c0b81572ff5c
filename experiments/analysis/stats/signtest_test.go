package stats

import (
	"math"
	"testing"
)

// The sign test beside the binomial distribution, exactly: 2·(1+10+45)/1024 of 8 of 10. Of 2000, of
// which 1044 fall on one side, it is 5.18 % (by the normal distribution with a standard deviation
// of 22.36: 43.5/22.36 = 1.945).
func TestSignTest(t *testing.T) {
	for _, row := range []struct {
		of, n int
		want  float64
	}{
		{5, 5, 2. / 32}, {6, 6, 2. / 64}, {8, 10, 112. / 1024}, {9, 10, 22. / 1024}, {1, 2, 1},
		{0, 0, 1}, {1044, 2000, 0.0518},
	} {
		if got := SignTest(row.of, row.n); math.Abs(got-row.want) > 1e-4 {
			t.Errorf("%d of %d: %v, want %v", row.of, row.n, got, row.want)
		}
	}
}
