package resolvers

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Target is the target of a channel, such as "dns:///orders:50051".
//
// Source: grpc-go v1.85.0, clientconn.go, resolver/resolver.go, internal/resolver/dns. Left out:
// proxies, overridden authorities.
type Target struct {
	Scheme    string
	Authority string // of dns: the name server
	Endpoint  string
}

// NewClientScheme is the scheme of a target without a known scheme if the channel comes from
// NewClient; DialScheme if it comes from Dial.
const (
	NewClientScheme = "dns"
	DialScheme      = "passthrough"
)

// ParseTarget reads a target. A text that is no URI, or that has an unknown scheme, is as a whole
// the endpoint of the scheme otherwise: a misspelt scheme is not an error but part of a strange
// name. For example "host:50051" is a URI of the unknown scheme "host".
func ParseTarget(text string, known []string, otherwise string) (Target, error) {
	if u, err := url.Parse(text); err == nil && slices.Contains(known, u.Scheme) {
		return newTarget(u), nil
	}
	u, err := url.Parse(otherwise + ":///" + text)
	if err != nil {
		return Target{}, err
	}
	return newTarget(u), nil
}

func newTarget(u *url.URL) Target {
	endpoint := u.Path
	if endpoint == "" {
		endpoint = u.Opaque
	}
	return Target{u.Scheme, u.Host, strings.TrimPrefix(endpoint, "/")}
}

// String returns the canonical form.
func (t Target) String() string { return t.Scheme + "://" + t.Authority + "/" + t.Endpoint }

// HostPort returns the host and port of the endpoint for dns: without a port 443, without a host
// this machine. An error means that the channel fails all its RPCs with UNAVAILABLE.
func (t Target) HostPort() (host, port string, err error) {
	const defaultPort = "443"
	if t.Endpoint == "" {
		return "", "", errors.New("there is no host")
	}
	if _, err := netip.ParseAddr(t.Endpoint); err == nil {
		return t.Endpoint, defaultPort, nil // of IPv6, one without brackets
	}
	host, port, err = net.SplitHostPort(t.Endpoint)
	if err != nil {
		host, port, err = net.SplitHostPort(t.Endpoint + ":" + defaultPort)
	}
	switch {
	case err != nil:
		return "", "", fmt.Errorf("%q is no host and port: %w", t.Endpoint, err)
	case port == "":
		return "", "", fmt.Errorf("%q ends with a colon, so there is no port", t.Endpoint)
	case host == "":
		host = "localhost"
	}
	return host, port, nil
}

// FromTarget returns the kind of resolver for a target in a channel made by NewClient, and the
// options that the target sets: the backend of passthrough:///fast/0, the backends of
// static:///fast/0,fast/1. Other names are for the reader only: the experiment has the backends. A
// dns target that is an IP address is not looked up, as with passthrough. A dns target without a
// port sets default_port.
func FromTarget(text string) (kind string, options map[string]any, err error) {
	known := append(slices.Sorted(maps.Keys(Catalog)), "unix", "unix-abstract", "xds")
	t, err := ParseTarget(text, known, NewClientScheme)
	if err != nil {
		return "", nil, err
	}
	switch t.Scheme {
	case "dns":
		host, port, err := t.HostPort()
		if err != nil {
			return "", nil, fmt.Errorf("gRPC takes it for %s, of which dns makes nothing: %w",
				t, err)
		}
		if _, err := netip.ParseAddr(t.Endpoint); err == nil ||
			!strings.HasSuffix(t.Endpoint, ":"+port) {
			options = map[string]any{"default_port": true}
		}
		if _, err := netip.ParseAddr(host); err == nil {
			return "passthrough", options, nil
		}
	case "passthrough":
		return t.Scheme, map[string]any{"backend": t.Endpoint}, nil
	case "static":
		var list []any
		for name := range strings.SplitSeq(t.Endpoint, ",") {
			list = append(list, name)
		}
		return t.Scheme, map[string]any{"backends": list}, nil
	case "unix", "unix-abstract":
		return "", nil, errors.New("sockets of one machine are not simulated")
	case "xds":
		return "push", nil, nil
	}
	return t.Scheme, options, nil
}
