package nearest

import "testing"

func TestHint(t *testing.T) {
	known := []string{"least_request", "pick_first", "round_robin"}
	const have = " (have least_request, pick_first, round_robin)"
	tests := []struct{ given, want string }{
		{"round_robn", "; did you mean round_robin?" + have},
		{"leest_reqest", "; did you mean least_request?" + have},
		{"p2c", have}, // nothing is near
		{"", have},
	}
	for _, test := range tests {
		if got := Hint(test.given, known); got != test.want {
			t.Errorf("Hint(%q) = %q, want %q", test.given, got, test.want)
		}
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0},
		{"kitten", "sitting", 3}, {"rate", "raet", 2},
	}
	for _, test := range tests {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
