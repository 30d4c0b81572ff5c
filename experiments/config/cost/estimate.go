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

// Limits of an experiment, unless it is forced.
const (
	mostCPU    = 10 * time.Hour
	mostMemory = 4e9  // bytes
	mostDisk   = 10e9 // bytes
)

// MaxHeldRPCs is how many records of RPCs a run may hold before it fails. A record needs some 250
// bytes.
const MaxHeldRPCs = 10_000_000

// Estimate is an estimate of the resources of an experiment, within a factor of about three, on one
// core of a server of 2020. It leaves out policies of other programs, retries and failures.
type Estimate struct {
	Runs int     // with a precision, the greatest number
	RPCs float64 // begun in all runs
	// CPU is the CPU time of all runs.
	CPU time.Duration
	// MemoryBytes is the memory of the largest run, KeptBytes that of the results of all runs.
	MemoryBytes, KeptBytes float64
	DiskBytes              float64 // results, without plots
	Points                 int     // of the sweep; each has plots

	cpu   float64                            // CPU in seconds; it may exceed a time.Duration
	worst struct{ cpu, memory, disk demand } // the greatest demands in one run
}

// Add adds the runs of a policy at a point: one for each seed, and pilot runs to find a warm-up.
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

// Check refuses an experiment that exceeds a limit, and returns the key that demands most.
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

// many reports whether the number of runs is the problem, and not the demand of one run.
func many(one demand, cpu float64) bool {
	return max(cpu, one.memory/mostMemory, one.disk/mostDisk) < 0.1
}

// String returns the estimate as a line.
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
