package policies

// pickNotes is for a picker that asks other pickers: a slab with, for each RPC in flight, the
// picker that sent it and the Note of that picker. The parent's Note is the slot.
type pickNotes struct {
	slots []pickNote
	free  []uint32 // slots without an RPC
}

type pickNote struct {
	by   Picker // nil while the slot is free
	note uint64 // of by
	own  uint64 // of the parent
}

// keep returns a Pick of another picker as the parent's own. The value own comes back with take.
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

// take returns what keep was given and frees the slot. It is called once for each keep.
func (n *pickNotes) take(pick Pick) (by Picker, its Pick, own uint64) {
	s := &n.slots[pick.Note]
	n.free = append(n.free, uint32(pick.Note))
	by, pick.Note, own = s.by, s.note, s.own
	s.by = nil
	return by, pick, own
}

// done calls Done of the picker that sent an RPC.
func (n *pickNotes) done(pick Pick, o Outcome) {
	by, its, _ := n.take(pick)
	by.Done(its, o)
}
