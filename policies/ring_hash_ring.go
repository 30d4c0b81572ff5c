package policies

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// ringNode is an endpoint on a hash ring.
type ringNode struct {
	child  *endpointChild
	key    string // its points are the hashes of key_0, key_1 and so on
	weight uint32 // > 0; its share of the points
}

// ringNodes returns the nodes of children in the order of their keys.
func ringNodes(children []*endpointChild) []ringNode {
	nodes := make([]ringNode, len(children))
	for i, c := range children {
		nodes[i] = ringNode{c, hashKey(c.endpoint), max(1, c.endpoint.Weight)}
	}
	slices.SortStableFunc(nodes, func(a, b ringNode) int { return cmp.Compare(a.key, b.key) })
	return nodes
}

// hashKey returns the name of an endpoint on a ring (gRFC A61, A76).
func hashKey(e *Endpoint) string { return cmp.Or(e.HashKey, e.firstAddress()) }

// ring is a hash ring: points in rising order, and the node of each.
type ring struct {
	points []uint64
	nodes  []int32 // by point: the place of its node in the order of keys
}

// newRing makes the ring of nodes, which are in the order of their keys. The number of points is
// such that the node of the least weight has a whole number of them, and there are from least to
// most points in all.
//
// The nodes take up the points in turn, and a point that two of them share goes to the first. With
// the weights 3, 3 and 4 and least 6, most 20 there are 6⅔ points, which the nodes end at 2, 4 and
// 6⅔: they get 2, 2 and 3.
func newRing(nodes []ringNode, least, most uint64) ring {
	var total uint64
	for _, n := range nodes {
		total += uint64(n.weight)
	}
	lightest := 1.
	for _, n := range nodes {
		lightest = min(lightest, float64(n.weight)/float64(total))
	}
	scale := min(math.Ceil(float64(lightest*float64(least)))/lightest, float64(most))
	type point struct {
		hash uint64
		node int32
	}
	points := make([]point, 0, int(math.Ceil(scale)))
	var text []byte
	var made, end float64
	for i, n := range nodes {
		end += float64(scale * (float64(n.weight) / float64(total)))
		// Nodes of one key have the same points, and one state: that of the last.
		owner := i
		for owner+1 < len(nodes) && nodes[owner+1].key == n.key {
			owner++
		}
		text = append(append(text[:0], n.key...), '_')
		for k := int64(0); made < end; k++ {
			text = strconv.AppendInt(text[:len(n.key)+1], k, 10)
			points = append(points, point{xxHash(0, text), int32(owner)})
			made++
		}
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.hash, b.hash) })
	r := ring{make([]uint64, len(points)), make([]int32, len(points))}
	for i, p := range points {
		r.points[i], r.nodes[i] = p.hash, p.node
	}
	return r
}

// remark describes how coarse the ring is. With equal weights the share of a node with k points has
// a relative standard deviation of about 1/√k.
func (r *ring) remark(nodes int) string {
	points := make([]int, nodes)
	for _, n := range r.nodes {
		points[n]++
	}
	least, most := slices.Min(points), slices.Max(points)
	if least == 0 {
		return fmt.Sprintf("ring of %d points, 0 to %d an endpoint: some get no keys",
			len(r.points), most)
	}
	return fmt.Sprintf("ring of %d points, %d to %d an endpoint: shares are off by about %.0f%%",
		len(r.points), least, most, 100/math.Sqrt(float64(least)))
}

// find returns the place of the first point that is not before hash, round the ring.
func (r *ring) find(hash uint64) int {
	i, _ := slices.BinarySearch(r.points, hash)
	if i == len(r.points) {
		return 0
	}
	return i
}
