package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	"lbsim/models/resolvers"
)

// What grpc-go v1.85.0 makes of targets; "consul" has no resolver here.
func TestParseTarget(t *testing.T) {
	known := []string{"dns", "passthrough", "unix"}
	const newClient, dial = resolvers.NewClientScheme, resolvers.DialScheme
	for _, row := range []struct {
		text, otherwise, canonical, host, port, err string
	}{
		{"dns:///orders:50051", newClient, "dns:///orders:50051", "orders", "50051", ""},
		{"dns:orders:50051", newClient, "dns:///orders:50051", "orders", "50051", ""},
		{"DNS:///orders:50051", newClient, "dns:///orders:50051", "orders", "50051", ""},
		{"dns://8.8.8.8/orders", newClient, "dns://8.8.8.8/orders", "orders", "443", ""},
		{"dns:///orders:1?x=y", newClient, "dns:///orders:1", "orders", "1", ""},
		{"dns:////orders:1", newClient, "dns:////orders:1", "/orders", "1", ""},
		{"localhost", newClient, "dns:///localhost", "localhost", "443", ""},
		{"orders:50051", newClient, "dns:///orders:50051", "orders", "50051", ""},
		{"127.0.0.1:1", newClient, "dns:///127.0.0.1:1", "127.0.0.1", "1", ""},
		{"127.0.0.1", newClient, "dns:///127.0.0.1", "127.0.0.1", "443", ""},
		{"[::1]:80", newClient, "dns:///[::1]:80", "::1", "80", ""},
		{"[::1]", newClient, "dns:///[::1]", "::1", "443", ""},
		{"::1", newClient, "dns:///::1", "::1", "443", ""},
		{":80", newClient, "dns:///:80", "localhost", "80", ""},
		{"orders:", newClient, "dns:///orders:", "", "", "ends with a colon"},
		{"", newClient, "dns:///", "", "", "no host"},
		{"consul://localhost:8500/orders", newClient, "dns:///consul://localhost:8500/orders",
			"", "", "too many colons"},
		{"consul://localhost:8500/orders", dial, "passthrough:///consul://localhost:8500/orders",
			"", "", "too many colons"},
		{"consul:///orders", newClient, "dns:///consul:///orders", "consul", "///orders", ""},
		{"localhost:1,localhost:2", newClient, "dns:///localhost:1,localhost:2",
			"", "", "too many colons"},
		{"localhost:50051", dial, "passthrough:///localhost:50051", "localhost", "50051", ""},
		{"unix:///run/x.sock", newClient, "unix:///run/x.sock", "run/x.sock", "443", ""},
	} {
		got, err := resolvers.ParseTarget(row.text, known, row.otherwise)
		if err != nil || got.String() != row.canonical {
			t.Errorf("%q: %v, error %v, want %s", row.text, got, err, row.canonical)
		}
		host, port, err := got.HostPort()
		if host != row.host || port != row.port || (err != nil) != (row.err != "") ||
			err != nil && !strings.Contains(err.Error(), row.err) {
			t.Errorf("%q: host %q, port %q, error %v, want %q, %q, %q",
				row.text, host, port, err, row.host, row.port, row.err)
		}
	}
	if got, err := resolvers.ParseTarget("100%", known, newClient); err == nil {
		t.Errorf("%q: got %v, want an error, for it cannot be part of a URI", "100%", got)
	}
}

func TestFromTarget(t *testing.T) {
	for _, row := range []struct{ target, want string }{
		{"dns:///orders:50051", "dns map[]"},
		{"orders:50051", "dns map[]"},
		{"orders:443", "dns map[]"},
		{"orders", "dns map[default_port:true]"},
		{"dns:///orders", "dns map[default_port:true]"},
		{"dns:///10.0.0.1:80", "passthrough map[]"},
		{"10.0.0.1", "passthrough map[default_port:true]"},
		{"[2001:db8::1]:80", "passthrough map[]"},
		{"2001:db8::80", "passthrough map[default_port:true]"}, // the end is no port
		{"[2001:db8::80]", "passthrough map[default_port:true]"},
		{"etcd:///orders", "etcd map[]"},
		{"consul://localhost:8500/orders", "consul map[]"},
		{"xds:///orders", "push map[]"},
		{"passthrough:///a/0", "passthrough map[backend:a/0]"},
		{"static:///a/0,a/2,b", "static map[backends:[a/0 a/2 b]]"},
		{"unix:///run/x.sock", "sockets of one machine are not simulated"},
		{"orders:", `gRPC takes it for dns:///orders:, of which dns makes nothing: ` +
			`"orders:" ends with a colon, so there is no port`},
		{"etc://h:1/orders", `gRPC takes it for dns:///etc://h:1/orders, of which dns makes ` +
			`nothing: "etc://h:1/orders" is no host and port: address etc://h:1/orders:443: ` +
			`too many colons in address`},
	} {
		kind, options, err := resolvers.FromTarget(row.target)
		got := fmt.Sprint(kind, options)
		if kind != "" {
			got = fmt.Sprint(kind, " ", options)
		}
		if err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%q: got %s, want %s", row.target, got, row.want)
		}
	}
}
