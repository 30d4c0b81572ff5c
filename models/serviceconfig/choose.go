package serviceconfig

import (
	"fmt"
	"reflect"
	"slices"
)

// choice is an item of the list that a DNS TXT record holds (gRFC A2).
type choice struct {
	ClientLanguage *[]string
	Percentage     *int64
	ClientHostName *[]string
	ServiceConfig  *node
}

// language is what grpc-go looks for; A2 would take it in any case, grpc-go does not.
const language = "GO"

// Choose returns the service config that a client on a host takes out of the list in a DNS TXT
// record, and its place there: the first that is for Go, for its host, and for the share of clients
// it is in. draw returns a random number of 1 to 100; each choice that has a percentage, and is for
// Go, asks anew.
//
// If there is none, or the list is wrong, that is an error, as it is in grpc-go: there the client
// parses an empty text, which is not the same as having no config.
func Choose(text []byte, hostname string, draw func() int) (config []byte, place int, err error) {
	r := &reader{places: make(map[string]int)}
	root, ok := r.root(text)
	if !ok {
		_, err := r.verdict()
		return nil, 0, err
	}
	var choices []choice
	r.value("", root, reflect.ValueOf(&choices).Elem())
	if _, err := r.verdict(); err != nil {
		return nil, 0, err
	}
	for i, c := range choices {
		if isFor(c.ClientLanguage, language) &&
			(c.Percentage == nil || int64(draw()) <= *c.Percentage) &&
			isFor(c.ClientHostName, hostname) && c.ServiceConfig != nil {
			return c.ServiceConfig.text, i, nil
		}
	}
	return nil, 0, &Error{Reason: fmt.Sprintf(
		"none of the %d choices is for a client in Go on host %s; grpc-go refuses the whole config",
		len(choices), quote(hostname))}
}

// isFor reports whether a list names a client; no list names all.
func isFor(list *[]string, client string) bool {
	return list == nil || slices.Contains(*list, client)
}
