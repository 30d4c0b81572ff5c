package models

// ring is a FIFO queue of RPCs in a ring buffer.
type ring struct {
	at          []handle // its length is a power of two, or 0
	first, next uint32   // of the elements; they count on for ever, indices are modulo len(at)
}

// len is how many requests are in the ring.
func (r *ring) len() int { return int(r.next - r.first) }

// push adds a request at the end. A full ring doubles: its size is a power of two.
func (r *ring) push(h handle) {
	if r.len() == len(r.at) {
		wider := make([]handle, max(8, 2*len(r.at)))
		for i := range r.len() {
			wider[i] = r.at[(r.first+uint32(i))&uint32(len(r.at)-1)]
		}
		r.first, r.next, r.at = 0, uint32(r.len()), wider
	}
	r.at[r.next&uint32(len(r.at)-1)] = h
	r.next++
}

// pop removes the first request. The ring must not be empty.
func (r *ring) pop() handle {
	h := r.at[r.first&uint32(len(r.at)-1)]
	r.first++
	return h
}
