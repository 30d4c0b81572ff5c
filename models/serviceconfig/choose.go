package serviceconfig

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Choices is the list that a DNS TXT record holds (gRFC A2).
type Choices []Choice

// Choice is an item of it: a service config, and for which clients it is.
type Choice struct {
	ClientLanguage *[]string
	Percentage     *int64
	ClientHostName *[]string
	ServiceConfig  *node
}

// language is what grpc-go looks for; A2 would take it in any case, grpc-go does not.
const language = "GO"

// ReadChoices reads the list. A list that is wrong is an error.
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

// Choose returns the place of the service config that a client on a host takes: the first that is
// for Go, for its host, and for the share of clients it is in. draw returns a random number of 1 to
// 100; each choice that has a percentage, and is for Go, asks anew.
//
// If there is none that is an error, as it is in grpc-go: there the client parses an empty text,
// which is not the same as having no config.
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

// Never says why no client in Go on a host takes the choice even if it comes to it, or returns "".
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

// Config is the text of the service config.
func (c *Choice) Config() []byte { return c.ServiceConfig.text }

// isFor reports whether a list names a client; no list names all.
func isFor(list *[]string, client string) bool {
	return list == nil || slices.Contains(*list, client)
}
