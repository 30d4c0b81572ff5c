package models

import "slices"

// slow adds a slow-down factor.
func (b *backend) slow(factor float64) {
	b.slowed = append(b.slowed, factor)
	b.setTimePerWork()
}

// unslow removes a slow-down factor.
func (b *backend) unslow(factor float64) {
	i := slices.Index(b.slowed, factor)
	b.slowed = slices.Delete(b.slowed, i, i+1)
	b.setTimePerWork()
}

// setTimePerWork computes timePerWork from the speed and the slow-down factors.
func (b *backend) setTimePerWork() {
	b.timePerWork = 1 / b.group.Speed
	for _, f := range b.slowed {
		b.timePerWork *= f
	}
}
