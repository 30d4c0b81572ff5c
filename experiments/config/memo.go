package config

// memo keeps what was made of texts, such as a table of a million numbers, as long as each point
// that is made after another has the same text: the points of a sweep share it.
type memo struct {
	here, before map[string]any // made or used for this point, and for the one before
}

// next begins another point.
func (m *memo) next() { m.before, m.here = m.here, map[string]any{} }

// get returns what was made of a text, or makes it.
func (m *memo) get(text string, make func() (any, error)) (any, error) {
	v, has := m.here[text]
	if !has {
		v, has = m.before[text]
	}
	if !has {
		var err error
		if v, err = make(); err != nil {
			return nil, err
		}
	}
	m.here[text] = v
	return v, nil
}

// memoized is get for a type.
func memoized[T any](m *memo, text string, make func() (T, error)) (v T, err error) {
	made, err := m.get(text, func() (any, error) { return make() })
	if err != nil {
		return v, err
	}
	return made.(T), nil
}
