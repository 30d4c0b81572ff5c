// Package cost estimates what the runs of an experiment take: CPU time, memory and disk.
package cost

import (
	"errors"
	"fmt"
	"time"

	"lbsim/internal/numtext"
	"lbsim/models"
	"lbsim/policies"
)

// Limits of what an experiment may take, unless it is forced.
const (
	mostCPU    = 10 * time.Hour
	mostMemory = 4e9  // bytes
	mostDisk   = 10e9 // bytes
)

// MaxHeldRPCs is how many records of RPCs, each of some 250 bytes, a run holds before it fails.
const MaxHeldRPCs = 10_000_000

// Estimate is about what an experiment takes: within a factor of some three, on one core of a
// server of 2020. Policies of other programs, retries and failures are not in it.
type Estimate struct {
	Runs int     // with a precision, as many as there may be
	RPCs float64 // that clients begin, in all runs
	// CPU is the time that all runs take together on one core.
	CPU time.Duration
	// MemoryBytes is what the largest run takes, and KeptBytes what is kept of all.
	MemoryBytes, KeptBytes float64
	DiskBytes              float64 // of results, without plots
	Points                 int     // each of which has plots

	cpu   float64                            // seconds, which may be more than a duration can be
	worst struct{ cpu, memory, disk demand } // of one run
}

// Add adds the runs of a policy at a point: so many, and others from which a warm-up is found.
func (t *Estimate) Add(c *models.Config, name string, p policies.Policy, seeds, pilots int) {
	d := demandsOf(c, name, p)
	var all cost
	for _, one := range d.all {
		all.add(one.cost)
		t.worst.cpu = larger(t.worst.cpu, one, one.cpu > t.worst.cpu.cpu)
		t.worst.memory = larger(t.worst.memory, one, one.memory > t.worst.memory.memory)
		t.worst.disk = larger(t.worst.disk, one, one.disk > t.worst.disk.disk)
	}
	backends := 0
	for i := range c.Backends {
		backends += c.Backends[i].Count
	}
	t.Runs += seeds
	t.RPCs += float64(d.rpcs * float64(seeds))
	t.cpu += float64(all.cpu * float64(seeds+pilots))
	t.CPU = time.Duration(min(t.cpu*1e9, 1<<62))
	t.MemoryBytes = max(t.MemoryBytes, all.memory)
	kept := keptOfRun + float64(keptPerEntry*float64(backends))
	t.KeptBytes += float64(kept * float64(seeds))
	t.DiskBytes += float64(all.disk * float64(seeds))
}

func larger(a, b demand, is bool) demand {
	if is {
		return b
	}
	return a
}

// Check refuses an experiment that takes more than it may, and returns the key that makes it so.
func (t *Estimate) Check(swept bool) (key []string, err error) {
	check := func(what, total, limit string, share float64, one demand) error {
		if share <= 1 {
			return nil
		}
		text := fmt.Sprintf("would take about %s of %s, more than the limit of %s",
			total, what, limit)
		key = one.key
		if part := one.cpu / mostCPU.Seconds(); t.Runs > 1 && many(one, part) {
			key = []string{"seeds"}
			if swept {
				key = []string{"sweep"}
			}
			text += fmt.Sprintf(", for its %d runs", t.Runs)
		} else {
			text += fmt.Sprintf(", most of it for %s %s in a run", numtext.Count(one.n), one.what)
		}
		return errors.New(text + "; -force lifts the limit")
	}
	memory := t.MemoryBytes + t.KeptBytes
	for _, err := range []error{
		check("CPU time", numtext.Seconds(t.cpu), numtext.Seconds(mostCPU.Seconds()),
			t.cpu/mostCPU.Seconds(), t.worst.cpu),
		check("memory", numtext.Bytes(memory), numtext.Bytes(mostMemory),
			memory/mostMemory, t.worst.memory),
		check("disk", numtext.Bytes(t.DiskBytes), numtext.Bytes(mostDisk),
			t.DiskBytes/mostDisk, t.worst.disk),
	} {
		if err != nil {
			return key, err
		}
	}
	return nil, nil
}

// many says whether rather the number of runs is too large than what one of them demands.
func many(one demand, cpu float64) bool {
	return max(cpu, one.memory/mostMemory, one.disk/mostDisk) < 0.1
}

// String says it in a line.
func (t *Estimate) String() string {
	return fmt.Sprintf("about %s RPCs, %s of CPU time, %s of memory (%s for each run at a time) "+
		"and %s of disk", numtext.Count(t.RPCs), numtext.Seconds(t.cpu),
		numtext.Bytes(t.MemoryBytes+t.KeptBytes), numtext.Bytes(t.MemoryBytes),
		numtext.Bytes(t.DiskBytes))
}

// Jobs is how many runs go on at a time so that they fit into the memory that there may be.
func (t *Estimate) Jobs(most int) int {
	fit := (mostMemory - t.KeptBytes) / max(1, t.MemoryBytes)
	return max(1, int(min(float64(most), fit)))
}
