package models

import "slices"

func (b *backend) slow(factor float64) {
	b.slowed = append(b.slowed, factor)
	b.setStretch()
}

func (b *backend) unslow(factor float64) {
	i := slices.Index(b.slowed, factor)
	b.slowed = slices.Delete(b.slowed, i, i+1)
	b.setStretch()
}

func (b *backend) setStretch() {
	b.stretch = 1 / b.group.Speed
	for _, f := range b.slowed {
		b.stretch *= f
	}
}
