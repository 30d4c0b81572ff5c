package models

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"lbsim/internal/nearest"
)

// Select returns the numbers of the backends with these names, in the order in which they are
// named: "fast" is a whole group, "fast/2" one backend of it, "fast/2-4" three. Backends are
// numbered from 0 through the groups in their order.
func (c *Config) Select(names []string) ([]int32, error) {
	var all []int32
	seen := make([]bool, c.backendCount())
	for _, name := range names {
		first, count, err := c.lookUp(name)
		if err != nil {
			return nil, err
		}
		for i := first; i < first+count; i++ {
			if seen[i] {
				return nil, fmt.Errorf("%q names backend %s a second time", name, c.backendName(i))
			}
			seen[i] = true
			all = append(all, int32(i))
		}
	}
	return all, nil
}

func (c *Config) backendCount() int {
	n := 0
	for i := range c.Backends {
		n += c.Backends[i].Count
	}
	return n
}

func (c *Config) backendName(n int) string {
	g, n := c.groupOf(n)
	return g.Name + "/" + strconv.Itoa(n)
}

// groupOf returns the group of backend n and its number there.
func (c *Config) groupOf(n int) (*BackendGroup, int) {
	rest := n
	for i := range c.Backends {
		g := &c.Backends[i]
		if rest < g.Count {
			return g, rest
		}
		rest -= g.Count
	}
	panic(fmt.Sprintf("models: no backend has the number %d", n))
}

// BackendNames returns the name of every backend, by number.
func (c *Config) BackendNames() []string {
	names := make([]string, 0, c.backendCount())
	for i := range c.Backends {
		for k := range c.Backends[i].Count {
			names = append(names, c.Backends[i].Name+"/"+strconv.Itoa(k))
		}
	}
	return names
}

// lookUp returns the number of the first backend that a name stands for, and how many there are.
func (c *Config) lookUp(name string) (first, count int, err error) {
	group, part, isPart := strings.Cut(name, "/")
	for i := range c.Backends {
		g := &c.Backends[i]
		if g.Name != group {
			first += g.Count
			continue
		}
		if !isPart {
			return first, g.Count, nil
		}
		from, to, err := span(part)
		if err != nil {
			return 0, 0, fmt.Errorf("%q: %w", name, err)
		}
		if to >= g.Count {
			return 0, 0, fmt.Errorf("%q: there is no %s/%d: group %s has %d, numbered from 0",
				name, group, to, group, g.Count)
		}
		return first + from, to - from + 1, nil
	}
	known := make([]string, len(c.Backends))
	for i := range c.Backends {
		known[i] = c.Backends[i].Name
	}
	return 0, 0, fmt.Errorf("unknown backend group %q%s", group, nearest.Hint(group, known))
}

// span reads "2" or "2-4".
func span(text string) (from, to int, err error) {
	a, b, isRange := strings.Cut(text, "-")
	if !isRange {
		b = a
	}
	from, err1 := strconv.Atoi(a)
	to, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil || from < 0 || to < from {
		return 0, 0, fmt.Errorf("%q must be a number, such as 2, or a range, such as 2-4", text)
	}
	return from, to, nil
}

// unknownBackend returns why a text names no backends, or nil.
func (c *Config) unknownBackend(name string) error {
	if _, err := netip.ParseAddrPort(name); err == nil {
		return fmt.Errorf("%q: name a backend, such as %q, for backends have no fixed addresses",
			name, c.backendName(0))
	}
	_, err := c.Select([]string{name})
	return err
}
