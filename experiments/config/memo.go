package config

// memo shares what was made of texts, such as a table of a million numbers, between successive
// points of a sweep that have the same text.
type memo struct {
	here, before map[string]any // by text: used by this point, and by the one before
}

// next begins the next point.
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
