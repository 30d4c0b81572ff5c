package sim

// digest is a number that depends on every event handled so far and on their order.
type digest uint64

const (
	digestStart  digest = 0x243f6a8885a308d3 // π
	digestFactor digest = 0x9e3779b97f4a7c15 // 2⁶⁴ over the golden ratio, odd
)

// add adds an event: its moment, actor, kind and argument. Each step is a bijection of the digest,
// so one that differs stays different until some later event happens to undo just that difference.
func (d digest) add(ev Event) digest {
	d = (d ^ digest(ev.At) ^ digest(ev.Kind())<<56) * digestFactor // 2⁵⁶ ns are two years
	d ^= d >> 32
	d = (d ^ digest(ev.To)<<32 ^ digest(ev.Arg)) * digestFactor
	return d ^ d>>29
}
