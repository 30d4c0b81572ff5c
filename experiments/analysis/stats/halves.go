package stats

import "slices"

// HalfBatches is how many batches each half of a series is divided into.
const HalfBatches = 10

const unlikeness = 0.1 // by which part the means of the halves must differ at least

// HalvesDiffer returns the means of the halves of a series and reports whether the halves exclude
// each other: of the means of ten batches of each half, all of the second lie above all of the
// first, or all below, and the means of the halves differ by a tenth or more.
//
// If batches were independent this would happen by chance in 2 of 20!/(10! 10!) series, one in
// 90,000. Neighbours are alike where a queue is long, which makes it likelier: of 1000 runs of
// M/M/1 with a load of 0.9, 14 relaxation times long, it is none. What it finds is a way to another
// level, and a walk without one: at a load of 1 one run in four.
func HalvesDiffer(levels []float64) (first, second float64, unlike bool) {
	size := len(levels) / (2 * HalfBatches)
	if size == 0 {
		return 0, 0, false
	}
	// A remainder is left out in the middle.
	early := batchMeans(levels[:size*HalfBatches], size)
	late := batchMeans(levels[len(levels)-size*HalfBatches:], size)
	for i := range early {
		first += early[i] / HalfBatches
		second += late[i] / HalfBatches
	}
	unlike = slices.Max(early) < slices.Min(late) || slices.Max(late) < slices.Min(early)
	return first, second, unlike && max(first, second) >= (1+unlikeness)*min(first, second)
}

// batchMeans returns the means of stretches of so many values.
func batchMeans(values []float64, size int) (means []float64) {
	for part := range slices.Chunk(values, size) {
		sum := 0.0
		for _, x := range part {
			sum += x
		}
		means = append(means, sum/float64(size))
	}
	return means
}
