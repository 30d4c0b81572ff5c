package policies

// passing remembers, for a policy whose picker asks others, which of them sent each RPC and what
// that one wants to know again, until the RPC is done.
type passing struct {
	slots []passedPick
	free  []uint32
}

type passedPick struct {
	by   Picker
	note uint64
	own  uint64
}

// keep makes of a Pick by another picker one's own; own comes back with take.
func (p *passing) keep(by Picker, pick Pick, own uint64) Pick {
	var i uint32
	if n := len(p.free); n > 0 {
		i, p.free = p.free[n-1], p.free[:n-1]
	} else {
		i = uint32(len(p.slots))
		p.slots = append(p.slots, passedPick{})
	}
	p.slots[i] = passedPick{by, pick.Note, own}
	pick.Note = uint64(i)
	return pick
}

// take returns the picker, its Pick and own, once for each keep.
func (p *passing) take(pick Pick) (by Picker, its Pick, own uint64) {
	s := &p.slots[pick.Note]
	p.free = append(p.free, uint32(pick.Note))
	by, pick.Note, own = s.by, s.note, s.own
	s.by = nil
	return by, pick, own
}

// done tells the picker that sent an RPC how it ended.
func (p *passing) done(pick Pick, o Outcome) {
	by, its, _ := p.take(pick)
	by.Done(its, o)
}
