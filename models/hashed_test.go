package models

import "testing"

// All hosts that there may be have addresses of their own, and all keys numbers, whatever the seed.
func TestDrawnTextsAreUnique(t *testing.T) {
	for seed := range uint64(3) {
		c := &Config{Seed: seed, Texts: DrawnTexts}
		seen := make([]bool, mostHosts)
		for n := range uint64(mostHosts) {
			host := c.hosts().of(n) % mostHosts
			if seen[host] {
				t.Fatalf("seed %d: host %d twice", seed, host)
			}
			seen[host] = true
		}
		keys := map[uint64]bool{}
		for n := range uint64(100_000) {
			keys[c.keys().of(n)] = true
		}
		if len(keys) != 100_000 {
			t.Errorf("seed %d: %d texts for 100,000 keys", seed, len(keys))
		}
	}
	one, other := &Config{Seed: 1, Texts: DrawnTexts}, &Config{Seed: 2, Texts: DrawnTexts}
	if one.hosts() == other.hosts() || one.keys() == other.keys() {
		t.Error("two seeds draw the same")
	}
}

// Without a draw the first host is number 1 and keys are what they are.
func TestFixedTexts(t *testing.T) {
	c := &Config{Seed: 7}
	for _, row := range []struct {
		label Label
		n     uint64
		want  string
	}{
		{0, 0, "10.0.0.1:80"}, {0, 299, "10.0.1.44:80"}, {1, 0, "[2001:db8::1]:80"},
	} {
		if got := row.label.text(c.hosts().of(row.n)); got != row.want {
			t.Errorf("backend %d, %v: %s, want %s", row.n, row.label, got, row.want)
		}
	}
	if got := c.keys().of(5); got != 5 {
		t.Errorf("key 5 is %d", got)
	}
}
