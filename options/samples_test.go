package options_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"lbsim/options"
)

// shape is the family of the tests.
type shape interface{ Area() float64 }

// circle is a kind with a check and with defaults.
type circle struct {
	Radius float64 `toml:"radius"`
	Filled bool    `toml:"filled"`
}

func (c circle) Area() float64 { return c.Radius * c.Radius }

func (c circle) Check() error {
	if c.Radius < 0 {
		return fmt.Errorf("radius: must be at least 0 (is %v)", c.Radius)
	}
	return nil
}

// frame is a kind around others.
type frame struct {
	Inner shape            `toml:"inner"`
	Names map[string]shape `toml:"names"`
}

func (frame) Area() float64 { return 0 }

// foreign is a kind that is not known by its type.
type foreign struct{ name string }

func (foreign) Area() float64  { return 1 }
func (f foreign) Kind() string { return f.name }

var shapes = options.Catalog[shape]{
	"circle": circle{Radius: 1}, "frame": frame{}, "own/a": foreign{"own/a"},
}

// fruit is a word.
type fruit uint8

var fruits = []string{"apple", "pear", "plum"}

func (c fruit) MarshalText() ([]byte, error) { return []byte(fruits[c]), nil }

func (c *fruit) UnmarshalText(text []byte) error {
	i, err := options.Word("fruit", text, fruits)
	*c = fruit(i)
	return err
}

// font is read by a form: its text names what has to be looked up.
type font interface{ String() string }

type namedFont string

func (f namedFont) String() string { return string(f) }

func openFont(text string) (font, error) {
	if !strings.HasSuffix(text, ".ttf") {
		return nil, errors.New("must end in .ttf")
	}
	return namedFont(text), nil
}

// part has defaults where it is there at all.
type part struct {
	Weight uint8         `toml:"weight"`
	Every  time.Duration `toml:"every"`
}

func (p *part) SetDefaults() { *p = part{Weight: 7, Every: time.Minute} }

// all has a field of each sort.
type all struct {
	Text    string                  `toml:"text"`
	Whole   int                     `toml:"whole"`
	Small   int8                    `toml:"small"`
	Count   uint32                  `toml:"count"`
	Ratio   float64                 `toml:"ratio"`
	Yes     bool                    `toml:"yes"`
	Wait    time.Duration           `toml:"wait"`
	Rate    options.Rate            `toml:"rate,omitzero"`
	Fruit   fruit                   `toml:"fruit"`
	Font    font                    `toml:"font"`
	Shape   shape                   `toml:"shape"`
	Perhaps *bool                   `toml:"perhaps"`
	Part    *part                   `toml:"part"`
	List    []string                `toml:"list"`
	Parts   []part                  `toml:"parts"`
	Below   part                    `toml:"below"`
	Words   map[string][]string     `toml:"words"`
	Named   map[string]part         `toml:"named"`
	Times   map[string]options.Rate `toml:"times"`

	Own    int // none of the user's
	hidden int
}

func codec() *options.Codec {
	c := new(options.Codec)
	options.Form(c, `a font, such as "a.ttf"`, openFont)
	options.Family(c, "shape", "circle", shapes)
	return c
}
