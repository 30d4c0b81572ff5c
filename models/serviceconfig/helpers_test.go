package serviceconfig

import (
	"encoding/json"
	"fmt"
	"reflect"
)

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// show writes what pointers point to.
func show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%+v", v)
	}
	return string(text)
}

// choose reads a list and makes the choice of a client.
func choose(text []byte, hostname string, draw func() int) ([]byte, int, error) {
	all, err := ReadChoices(text)
	if err != nil {
		return nil, 0, err
	}
	place, err := all.Choose(hostname, draw)
	if err != nil {
		return nil, 0, err
	}
	return all[place].Config(), place, nil
}
