package models

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lbsim/internal/nearest"
	"lbsim/policies"
	"lbsim/sim"
)

// Keys is the distribution of the keys of a group's RPCs, such as sessions or customers. A key is a
// number from 0 on. As a user writes it:
//
//	client                    the number of the client that it comes from
//	uniform(n=1000)           one of 0 to 999, each as often as the others
//	hot(share=0.3, n=1000)    0 with the share, else one of 1 to 1000
//	zipf(n=1000, s=1.1)       one of 0 to 999, k with a weight of (k+1)^-s
type Keys struct {
	kind  string
	n     uint64
	share float64 // of key 0 in hot
	s     float64
	upTo  []float64 // zipf: by key, the sum of the weights up to it
}

const (
	mostKeys  = 1_000_000_000
	mostRanks = 1_000_000 // of zipf, which needs a table
	mostSkew  = 10
)

// keyForms are the kinds of keys and their parameters.
var keyForms = []struct {
	kind, form string
	parameters []string
}{
	{"client", "client", nil},
	{"hot", "hot(share=0.3, n=1000)", []string{"n", "share"}},
	{"uniform", "uniform(n=1000)", []string{"n"}},
	{"zipf", "zipf(n=1000, s=1.1)", []string{"n", "s"}},
}

// key returns the key of the RPC at quantile u, 0 to 1.
func (k *Keys) key(u float64, client int32) uint64 {
	switch k.kind {
	case "client":
		return uint64(client)
	case "hot":
		if u < k.share {
			return 0
		}
		return 1 + min(k.n-1, uint64((u-k.share)/(1-k.share)*float64(k.n)))
	case "zipf":
		i, _ := slices.BinarySearch(k.upTo, u*k.upTo[k.n-1])
		return min(k.n-1, uint64(i))
	}
	return uint64(u * float64(k.n))
}

// UnmarshalText reads keys.
func (k *Keys) UnmarshalText(text []byte) error {
	kind, rest, called := strings.Cut(strings.TrimSpace(string(text)), "(")
	var kinds []string
	for _, f := range keyForms {
		kinds = append(kinds, f.kind)
		if f.kind != strings.TrimSpace(kind) {
			continue
		}
		inner, closed := strings.CutSuffix(rest, ")")
		if called != closed || called != (f.parameters != nil) {
			return fmt.Errorf("%q is no key (write for instance %s)", text, f.form)
		}
		*k = Keys{kind: f.kind}
		if err := k.read(inner, f.parameters); err != nil {
			return fmt.Errorf("%s: %w (write for instance %s)", f.kind, err, f.form)
		}
		k.prepare()
		return nil
	}
	return fmt.Errorf("unknown key %q%s", kind, nearest.Hint(kind, kinds))
}

// Check returns an error if the keys are of no kind, as the zero value is.
func (k Keys) Check() error {
	if k.kind == "" {
		return errors.New("must be read from a text, such as \"client\"")
	}
	return nil
}

// read reads name=value, name=value, …: each of the names, in any order.
func (k *Keys) read(inner string, names []string) error {
	missing := slices.Clone(names)
	for part := range strings.SplitSeq(inner, ",") {
		name, value, _ := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		i := slices.Index(missing, name)
		switch {
		case i >= 0:
			missing = slices.Delete(missing, i, i+1)
			if err := k.set(name, value); err != nil {
				return err
			}
		case slices.Contains(names, name):
			return fmt.Errorf("%s is given twice", name)
		case len(names) > 0:
			return fmt.Errorf("unknown parameter %q", name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("needs %s", strings.Join(missing, " and "))
	}
	return nil
}

// set reads the value of a parameter.
func (k *Keys) set(name, value string) (err error) {
	switch name {
	case "n":
		most := uint64(mostKeys)
		if k.kind == "zipf" {
			most = mostRanks
		}
		k.n, err = strconv.ParseUint(value, 10, 64)
		if err != nil || k.n < 1 || k.n > most {
			return fmt.Errorf("n must be a whole number from 1 to %d (is %s)", most, value)
		}
	case "share":
		k.share, err = strconv.ParseFloat(value, 64)
		if err != nil || !(k.share > 0 && k.share < 1) {
			return fmt.Errorf("share must be between 0 and 1 (is %s)", value)
		}
	case "s":
		k.s, err = strconv.ParseFloat(value, 64)
		if err != nil || !(k.s >= 0 && k.s <= mostSkew) {
			return fmt.Errorf("s must be from 0 to %d (is %s)", mostSkew, value)
		}
	}
	return nil
}

// prepare makes the table of zipf.
func (k *Keys) prepare() {
	if k.kind != "zipf" {
		return
	}
	k.upTo = make([]float64, k.n)
	sum := 0.
	for i := range k.upTo {
		sum += sim.Pow(float64(i+1), -k.s)
		k.upTo[i] = sum
	}
}

// MarshalText writes the keys so that they read back.
func (k Keys) MarshalText() ([]byte, error) {
	number := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	switch k.kind {
	case "hot":
		return fmt.Appendf(nil, "hot(share=%s, n=%d)", number(k.share), k.n), nil
	case "uniform":
		return fmt.Appendf(nil, "uniform(n=%d)", k.n), nil
	case "zipf":
		return fmt.Appendf(nil, "zipf(n=%d, s=%s)", k.n, number(k.s)), nil
	}
	return []byte(k.kind), nil
}

// call returns what the picker may know of an RPC. All attempts of a call have the same key.
func (c *channel) call(r *rpc) policies.Call {
	if c.group.Keys == nil {
		return policies.Call{Luck: r.luck}
	}
	luck := r.luck
	if r.hasCall() {
		luck = c.w.clients[c.number].calls[r.call-1].luck
	}
	key := c.group.Keys.key(sim.Unit(sim.Mix(luck, saltKey)), c.number)
	return policies.Call{Luck: r.luck, Header: c.group.KeyHeader, Key: c.w.keys.of(key)}
}
