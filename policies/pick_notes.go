package policies

// passing remembers, for a policy whose picker asks others, which of them sent each RPC and what
// that one wants to know again, until the RPC is done.
type pickNotes struct {
	slots []pickNote
	free  []uint32
}

type pickNote struct {
	by   Picker
	note uint64
	own  uint64
}

// keep makes of a Pick by another picker one's own; own comes back with take.
func (n *pickNotes) keep(by Picker, pick Pick, own uint64) Pick {
	var i uint32
	if k := len(n.free); k > 0 {
		i, n.free = n.free[k-1], n.free[:k-1]
	} else {
		i = uint32(len(n.slots))
		n.slots = append(n.slots, pickNote{})
	}
	n.slots[i] = pickNote{by, pick.Note, own}
	pick.Note = uint64(i)
	return pick
}

// take returns the picker, its Pick and own, once for each keep.
func (n *pickNotes) take(pick Pick) (by Picker, its Pick, own uint64) {
	s := &n.slots[pick.Note]
	n.free = append(n.free, uint32(pick.Note))
	by, pick.Note, own = s.by, s.note, s.own
	s.by = nil
	return by, pick, own
}

// done tells the picker that sent an RPC how it ended.
func (n *pickNotes) done(pick Pick, o Outcome) {
	by, its, _ := n.take(pick)
	by.Done(its, o)
}
