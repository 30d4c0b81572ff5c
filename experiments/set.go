package experiments

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"lbsim/internal/nearest"
)

// assignment is a key=value of the command line.
type assignment struct {
	text string
	path []string
}

// override changes the tree by an assignment, "clients.web.rate=3000/s". A value that is no TOML
// is taken for a text.
func (s *source) override(text string) error {
	key, value, found := strings.Cut(text, "=")
	path := keyPath(strings.TrimSpace(key))
	if !found || path == nil {
		return fmt.Errorf("-set %s: must be key=value, such as clients.web.rate=3000/s", text)
	}
	if err := checkNesting(value); err != nil {
		return fmt.Errorf("-set %s: line %w", text, err)
	}
	var v struct{ V any }
	if _, err := toml.Decode("V = "+value, &v); err != nil {
		v.V = strings.TrimSpace(value)
	}
	s.tree = cloneTree(s.tree)
	s.set = append(s.set, assignment{text, path})
	if err := setKey(s.tree, path, v.V); err != nil {
		return fmt.Errorf("-set %s: %w", text, err)
	}
	return nil
}

// keyPath splits a dotted key as TOML does; nil where it is none.
func keyPath(key string) []string {
	if checkNesting(key) != nil {
		return nil
	}
	var tree map[string]any
	meta, err := toml.Decode(key+" = 0", &tree)
	if err != nil || len(meta.Keys()) == 0 {
		return nil
	}
	keys := meta.Keys()
	return keys[len(keys)-1]
}

// optional are the tables of options that a file may leave out.
var optional = []string{"backoff", "network", "resolver"}

// setKey changes the value under a key. The tables on the way must exist, save for those that an
// experiment may leave out.
func setKey(tree map[string]any, path []string, value any) error {
	if path == nil {
		return errors.New("is no key")
	}
	for i, part := range path[:len(path)-1] {
		next, exists := tree[part]
		if !exists && i == 0 && slices.Contains(optional, part) {
			next = map[string]any{}
			tree[part] = next
		}
		table, ok := next.(map[string]any)
		if !ok {
			where := strings.Join(path[:i+1], ".")
			return fmt.Errorf("there is no table %s%s", where, nearest.Hint(part, sortedKeys(tree)))
		}
		tree = table
	}
	tree[path[len(path)-1]] = value
	return nil
}

// cloneTree copies the tables of a tree.
func cloneTree(tree map[string]any) map[string]any {
	clone := maps.Clone(tree)
	for k, v := range clone {
		if table, ok := v.(map[string]any); ok {
			clone[k] = cloneTree(table)
		}
	}
	return clone
}
