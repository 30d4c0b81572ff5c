package serviceconfig

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Choices is the list of service configs in a DNS TXT record (gRFC A2).
type Choices []Choice

// Choice is an item of the list: a service config and the clients that it is for.
type Choice struct {
	ClientLanguage *[]string
	Percentage     *int64
	ClientHostName *[]string
	ServiceConfig  *node
}

// language is the clientLanguage of grpc-go. A2 ignores its case, grpc-go does not.
const language = "GO"

// ReadChoices reads the list. An invalid list is an error.
func ReadChoices(text []byte) (Choices, error) {
	r := &reader{places: make(map[string]int)}
	root, ok := r.root(text)
	choices := Choices{}
	if ok {
		r.value("", root, reflect.ValueOf(&choices).Elem())
	}
	if _, err := r.verdict(); err != nil {
		return nil, err
	}
	return choices, nil
}

// Choose returns the index of the service config that a client on a host takes: the first that is
// for Go, for its host, and for its percentage. draw returns a random number of 1 to 100; it is
// called for each choice that has a percentage and is for Go.
//
// It is an error if there is none, as in grpc-go: there the client parses an empty text, which
// differs from having no config.
func (cs Choices) Choose(hostname string, draw func() int) (place int, err error) {
	for i, c := range cs {
		if isFor(c.ClientLanguage, language) &&
			(c.Percentage == nil || int64(draw()) <= *c.Percentage) && c.IsFor(hostname) {
			return i, nil
		}
	}
	return 0, &Error{Reason: fmt.Sprintf(
		"none of the %d choices is for a client in Go on host %s; grpc-go refuses the whole config",
		len(cs), quote(hostname))}
}

// IsFor reports whether a client in Go on a host can take the choice, if it is in its share.
func (c *Choice) IsFor(hostname string) bool {
	return isFor(c.ClientLanguage, language) && isFor(c.ClientHostName, hostname) &&
		c.ServiceConfig != nil
}

// Chances returns the share of the clients in Go on a host that take each choice, and of those that
// take none, 0 to 1.
func (cs Choices) Chances(hostname string) (each []float64, none float64) {
	each, none = make([]float64, len(cs)), 1
	for i := range cs {
		c := &cs[i]
		if !c.IsFor(hostname) {
			continue
		}
		share := 1.0
		if c.Percentage != nil {
			share = float64(min(100, max(0, *c.Percentage))) / 100
		}
		each[i] = none * share
		none *= 1 - share
	}
	return each, none
}

// Never returns why no client in Go on a host takes the choice, or "".
func (c *Choice) Never(hostname string) string {
	switch {
	case !isFor(c.ClientLanguage, language):
		return fmt.Sprintf("it is for clients in %s, and here they are in %s",
			strings.Join(*c.ClientLanguage, ", "), language)
	case !isFor(c.ClientHostName, hostname):
		return fmt.Sprintf("it is for hosts %s, and here clients are on %s",
			strings.Join(*c.ClientHostName, ", "), hostname)
	case c.Percentage != nil && *c.Percentage <= 0:
		return fmt.Sprintf("its percentage is %d", *c.Percentage)
	case c.ServiceConfig == nil:
		return "it has no serviceConfig"
	}
	return ""
}

// Config returns the text of the service config.
func (c *Choice) Config() []byte { return c.ServiceConfig.text }

// isFor reports whether a list has a client; no list has all.
func isFor(list *[]string, client string) bool {
	return list == nil || slices.Contains(*list, client)
}
