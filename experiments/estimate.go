package experiments

import "fmt"

// bytesText writes a number of bytes in a unit that fits it.
func bytesText(n float64) string {
	for _, u := range []struct {
		unit string
		size float64
	}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= u.size {
			return fmt.Sprintf("%.3g %s", n/u.size, u.unit)
		}
	}
	return fmt.Sprintf("%.0f bytes", n)
}
