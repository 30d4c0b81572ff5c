package serviceconfig

import (
	"reflect"
	"strings"
	"unicode"

	"lbsim/internal/nearest"
)

// fieldNamed returns which field of a struct has a name in JSON, and how that is properly spelt;
// like encoding/json it takes any case if there is no exact match. Without a field it returns -1.
func fieldNamed(t reflect.Type, key string) (i int, name string) {
	folded := -1
	for i := range t.NumField() {
		switch name := jsonName(t.Field(i)); {
		case name == "":
		case name == key:
			return i, name
		case folded < 0 && strings.EqualFold(name, key):
			folded = i
		}
	}
	if folded < 0 {
		return -1, ""
	}
	return folded, jsonName(t.Field(folded))
}

// jsonName returns the name of a field in JSON, or "" for none: that of its tag, or its own with a
// small letter, since grpc-go has no tags where this package has none.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if !f.IsExported() || name == "-" {
		return ""
	}
	if name == "" {
		name = string(unicode.ToLower(rune(f.Name[0]))) + f.Name[1:]
	}
	return name
}

// unknownField records that grpc-go ignores a field, with the name that may be meant.
func unknownField(t reflect.Type, key string) string {
	var names []string
	for i := range t.NumField() {
		if name := jsonName(t.Field(i)); name != "" {
			names = append(names, name)
		}
	}
	return "grpc-go knows no such field and ignores it" + didYouMean(key, names)
}

// didYouMean returns a hint at the known name that is nearest to the given one, if any is near.
func didYouMean(given string, known []string) string {
	if len(given) > 60 {
		return ""
	}
	hint, _, _ := strings.Cut(nearest.Hint(given, known), " (have ")
	return hint
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// optionNamed takes what a policy says of its options apart: the option that it names as in a TOML
// file, here by its name in a service config, and the rest.
func optionNamed(t reflect.Type, text string) (option, reason string) {
	names, reason, ok := strings.Cut(text, ": ")
	if !ok {
		return "", text
	}
	for name := range strings.SplitSeq(names, ".") {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() == reflect.Map {
			option, t = join(option, pathName(name)), t.Elem()
			continue
		}
		f, ok := fieldTagged(t, name)
		if !ok {
			return "", text
		}
		option, t = join(option, jsonName(f)), f.Type
	}
	return option, reason
}

// fieldTagged returns the field of a struct that has a name in a TOML file.
func fieldTagged(t reflect.Type, name string) (reflect.StructField, bool) {
	if t.Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Tag.Get("toml") == name && jsonName(f) != "" {
			return f, true
		}
	}
	return reflect.StructField{}, false
}
