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
