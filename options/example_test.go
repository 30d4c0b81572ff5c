package options_test

import (
	"fmt"
	"time"

	"lbsim/options"
)

// alarm is something that a user configures.
type alarm struct {
	After time.Duration `toml:"after"`
	Sound string        `toml:"sound"`
}

func (a alarm) Check() error {
	if a.After == 0 {
		return fmt.Errorf("after: must be longer than 0s")
	}
	return nil
}

// A kind is read over the defaults of its prototype, checked, and written again.
func ExampleKind() {
	alarms := options.Catalog[any]{"alarm": alarm{After: time.Minute, Sound: "bell"}}
	codec := new(options.Codec)
	key := []string{"alarms", "morning"}

	file := map[string]any{"kind": "alarm", "after": "5m"} // as the TOML package makes it
	made, kind, err := options.Kind(codec, key, file, alarms)
	fmt.Printf("%+v %v\n", made, err)

	w := codec.Writer()
	w.Table(kind, made, key...)
	fmt.Print(w)

	file["after"] = "0s"
	_, _, err = options.Kind(codec, key, file, alarms)
	fmt.Println(err)
	file["aftr"] = "1s"
	_, _, err = options.Kind(codec, key, file, alarms)
	fmt.Println(err)
	// Output:
	// {After:5m0s Sound:bell} <nil>
	//
	// [alarms.morning]
	// kind = "alarm"
	// after = "5m"
	// sound = "bell"
	// alarms.morning.after: must be longer than 0s
	// alarms.morning.aftr: unknown key; did you mean after? (have after, sound)
}
