package experiments_test

import (
	"strings"
	"testing"

	"lbsim/experiments"
)

// What is said of addresses stands in the group of the fast backends or in the failure.
func TestAddressesThatAreRefused(t *testing.T) {
	const fast, brake = "[backends.fast]\n", "kind     = \"slow\"\n"
	hole := func(options string) string { return "kind = \"blackhole\"\n" + options + "\n" }
	for _, row := range []struct{ name, old, new, want string }{
		{"an unknown label", fast, `addresses = ["ipv5"]`,
			`12: backends.fast.addresses: unknown address "ipv5" (have ipv4, ipv6, and for more ` +
				`of one family ipv4-2 to ipv4-8, ipv6-2 to ipv6-8)`},
		{"a number that is the family's own", fast, `addresses = ["ipv4-1"]`,
			`12: backends.fast.addresses: unknown address "ipv4-1"`},
		{"too many of a family", fast, `addresses = ["ipv4", "ipv4-9"]`,
			`12: backends.fast.addresses: unknown address "ipv4-9"`},
		{"no address", fast, `addresses = []`,
			`12: backends.fast.addresses: must list at least one, such as ["ipv6", "ipv4"]`},
		{"an address twice", fast, `addresses = ["ipv4", "ipv6", "ipv4"]`,
			`12: backends.fast.addresses: ipv4 stands there twice`},
		{"a text for a list", fast, `addresses = "ipv6"`,
			`12: backends.fast.addresses: must be a list in brackets (is the text "ipv6")`},
		{"a failure of an address that is not there", brake, hole(`addresses = ["ipv6"]`),
			`20: failures.brake.addresses: slow/0 has no ipv6 (has ipv4)`},
		{"a failure of an address twice", brake, hole(`addresses = ["ipv4", "ipv4"]`),
			`20: failures.brake.addresses: ipv4 stands there twice`},
		{"a failure of an unknown address", brake, hole(`addresses = ["v6"]`),
			`20: failures.brake.addresses: unknown address "v6"`},
		{"a failure that knows no addresses", brake, brake + `addresses = ["ipv4"]`,
			`20: failures.brake.addresses: unknown key`},
	} {
		text := strings.Replace(good, "factor   = 3\n", "", 1)
		if strings.Contains(row.new, "slow") {
			text = good
		}
		keep := ""
		if row.old == fast {
			text, keep = good, fast
		}
		text = strings.Replace(text, row.old, keep+row.new+"\n", 1)
		_, err := experiments.Load(write(t, map[string]string{"my.toml": text}),
			experiments.Options{})
		if err == nil || !strings.Contains(err.Error(), "my.toml:"+row.want) {
			t.Errorf("%s: got %v, want my.toml:%s", row.name, err, row.want)
		}
	}
}

func TestAddressesCountAsSubConns(t *testing.T) {
	const many = "count   = 2000\naddresses = "
	for labels, right := range map[string]bool{
		`["ipv4"]`:                             true,
		`["ipv6", "ipv6-2", "ipv4", "ipv4-2"]`: true,
		`["ipv6", "ipv6-2", "ipv6-3", "ipv6-4", "ipv4", "ipv4-2", "ipv4-3", "ipv4-4",
			"ipv4-5", "ipv4-6", "ipv4-7"]`: false, // 1000 clients × 22000, each of 225 bytes
	} {
		text := strings.Replace(good, "count   = 2\nservice", many+labels+"\nservice", 1)
		text = strings.Replace(text, "count   = 2\n", "count   = 1000\n", 1)
		_, err := experiments.Load(write(t, map[string]string{"my.toml": text}),
			experiments.Options{})
		if right != (err == nil) {
			t.Errorf("addresses = %s: %v, want right %v", labels, err, right)
		}
	}
}

func TestResolvedNamesAddresses(t *testing.T) {
	for set, want := range map[string]string{
		"backends.fast.count=2": `addresses = ["ipv4"]`,

		`backends.fast.addresses=["ipv6","ipv6-2"]`:          `addresses = ["ipv6", "ipv6-2"]`,
		`failures.hole={kind="blackhole",backends=["fast"]}`: `addresses = []`,
	} {
		if got := load(t, good, set).Resolved(); !strings.Contains(got, want) {
			t.Errorf("-set %s: resolved lacks %q:\n%s", set, want, got)
		}
	}
}
