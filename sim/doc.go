// Package sim is the kernel of a discrete-event simulation: a clock that counts nanoseconds, plain
// events in one total order, timers that can be cancelled, random streams by name, and arithmetic
// that gives the same bits on every CPU. It does not know what is simulated.
//
// A run is a pure function of its inputs. Two things hold that up: events at one instant happen in
// the order in which they were scheduled, and nothing in here reads a clock, a global generator or
// a CPU-dependent function. [Kernel.Digest] sums up every handled event, so equal digests mean
// equal runs.
package sim
