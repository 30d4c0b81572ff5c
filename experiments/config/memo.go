package config

// memo keeps what was made of texts, such as a table of a million numbers, as long as each point
// that is made after another has the same text: the points of a sweep share it.
type memo struct {
	here, before map[string]any // made or used for this point, and for the one before
}

// next begins another point.
func (m *memo) next() { m.before, m.here = m.here, map[string]any{} }

// memoized returns what was made of a text, or makes it.
func memoized[T any](m *memo, text string, make func() (T, error)) (v T, err error) {
	made, has := m.here[text]
	if !has {
		made, has = m.before[text]
	}
	if !has {
		if made, err = make(); err != nil {
			return v, err
		}
	}
	m.here[text] = made
	return made.(T), nil
}
