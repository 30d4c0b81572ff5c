package serviceconfig

import (
	"encoding/json"
	"fmt"
	"strconv"
	"unicode"
)

// node is a valid JSON value as text, without space around it. It is parsed only as far as needed.
type node struct {
	text []byte
	at   int // offset in the whole text
}

// member is a name and a value in an object.
type member struct {
	key   string
	value node
}

func (n node) isNull() bool   { return n.text[0] == 'n' }
func (n node) isObject() bool { return n.text[0] == '{' }
func (n node) isList() bool   { return n.text[0] == '[' }

// isEmpty reports whether n is {} or [].
func (n node) isEmpty() bool {
	return (n.isObject() || n.isList()) && skipSpace(n.text, 1) == len(n.text)-1
}

// newNode returns the one value of a valid text.
func newNode(text []byte) node {
	start := skipSpace(text, 0)
	return node{text[start:skipValue(text, start)], start}
}

// members returns the members of an object. Names may occur more than once.
func (n node) members() []member {
	var all []member
	for i := skipSpace(n.text, 1); n.text[i] != '}'; {
		key := n.child(i)
		i = skipSpace(n.text, i+len(key.text)) + 1 // the colon
		value := n.child(skipSpace(n.text, i))
		all = append(all, member{key.string(), value})
		i = n.next(value)
	}
	return all
}

// items returns the items of a list.
func (n node) items() []node {
	var all []node
	for i := skipSpace(n.text, 1); n.text[i] != ']'; {
		item := n.child(i)
		all = append(all, item)
		i = n.next(item)
	}
	return all
}

// child is the value that begins at i.
func (n node) child(i int) node {
	return node{n.text[i:skipValue(n.text, i)], n.at + i}
}

// next returns where the sibling after a child begins, or the bracket that closes n stands.
func (n node) next(child node) int {
	i := skipSpace(n.text, child.at-n.at+len(child.text))
	if n.text[i] == ',' {
		i = skipSpace(n.text, i+1)
	}
	return i
}

// string returns the value of a JSON string, and "" for other values.
func (n node) string() string {
	var s string
	_ = json.Unmarshal(n.text, &s) // the text is valid; a value that is no string leaves s ""
	return s
}

// String returns n, shortened for an error line.
func (n node) String() string {
	switch {
	case n.isObject():
		return "an object"
	case n.isList():
		return "a list"
	case n.text[0] == '"':
		return quote(n.string())
	}
	return shorten(string(n.text))
}

// skipSpace returns the index of the first byte from i on that is no space.
func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// skipValue returns the end of the value that begins at i. It does not recurse, so the depth of
// brackets has no limit.
func skipValue(text []byte, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = skipString(text, i)
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth <= 0 {
				return i + 1 + depth // a number before the bracket of its parent ends here
			}
		case ',', ' ', '\t', '\n', '\r', ':':
			if depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// skipString returns the index of the closing quote of the string that begins at i.
func skipString(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// quote puts s, shortened, in quotes with nothing unprintable inside.
func quote(s string) string { return strconv.QuoteToGraphic(shorten(s)) }

// shorten cuts s to what an error line can hold.
func shorten(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

// pathName returns a name as part of a path: quoted if it has unusual characters.
func pathName(name string) string {
	for _, c := range name {
		if c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' {
			return quote(name)
		}
	}
	if name == "" || len(name) > 60 {
		return quote(name)
	}
	return name
}

// whereIn returns the line and column of an offset in a text, both from 1.
func whereIn(text []byte, offset int) string {
	line, column := 1, 1
	for _, b := range text[:min(offset, len(text))] {
		column++
		if b == '\n' {
			line, column = line+1, 1
		}
	}
	return fmt.Sprintf("line %d, column %d", line, column)
}
