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
func (e *Estimate) Add(c *models.Config, name string, p policies.Policy, seeds, pilots int) {
	d := demandsOf(c, name, p)
	var all cost
	for _, one := range d.all {
		all.add(one.cost)
		e.worst.cpu = larger(e.worst.cpu, one, one.cpu > e.worst.cpu.cpu)
		e.worst.memory = larger(e.worst.memory, one, one.memory > e.worst.memory.memory)
		e.worst.disk = larger(e.worst.disk, one, one.disk > e.worst.disk.disk)
	}
	backends := 0
	for i := range c.Backends {
		backends += c.Backends[i].Count
	}
	e.Runs += seeds
	e.RPCs += float64(d.rpcs * float64(seeds))
	e.cpu += float64(all.cpu * float64(seeds+pilots))
	e.CPU = time.Duration(min(e.cpu*1e9, 1<<62))
	e.MemoryBytes = max(e.MemoryBytes, all.memory)
	kept := keptOfRun + float64(keptPerEntry*float64(backends))
	e.KeptBytes += float64(kept * float64(seeds))
	e.DiskBytes += float64(all.disk * float64(seeds))
}

func larger(a, b demand, is bool) demand {
	if is {
		return b
	}
	return a
}

// Check refuses an experiment that exceeds a limit, and returns the key that demands most.
func (e *Estimate) Check(swept bool) (key []string, err error) {
	check := func(what, total, limit string, share float64, one demand) error {
		if share <= 1 {
			return nil
		}
		text := fmt.Sprintf("would take about %s of %s, more than the limit of %s",
			total, what, limit)
		key = one.key
		if part := one.cpu / mostCPU.Seconds(); e.Runs > 1 && many(one, part) {
			key = []string{"seeds"}
			if swept {
				key = []string{"sweep"}
			}
			text += fmt.Sprintf(", for its %d runs", e.Runs)
		} else {
			text += fmt.Sprintf(", most of it for %s %s in a run", numtext.Count(one.n), one.what)
		}
		return errors.New(text + "; -force lifts the limit")
	}
	memory := e.MemoryBytes + e.KeptBytes
	for _, err := range []error{
		check("CPU time", numtext.Seconds(e.cpu), numtext.Seconds(mostCPU.Seconds()),
			e.cpu/mostCPU.Seconds(), e.worst.cpu),
		check("memory", numtext.Bytes(memory), numtext.Bytes(mostMemory),
			memory/mostMemory, e.worst.memory),
		check("disk", numtext.Bytes(e.DiskBytes), numtext.Bytes(mostDisk),
			e.DiskBytes/mostDisk, e.worst.disk),
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
func (e *Estimate) String() string {
	return fmt.Sprintf("about %s RPCs, %s of CPU time, %s of memory (%s for each run at a time) "+
		"and %s of disk", numtext.Count(e.RPCs), numtext.Seconds(e.cpu),
		numtext.Bytes(e.MemoryBytes+e.KeptBytes), numtext.Bytes(e.MemoryBytes),
		numtext.Bytes(e.DiskBytes))
}

// Jobs is how many runs go on at a time so that they fit into the memory that there may be.
func (e *Estimate) Jobs(most int) int {
	fit := (mostMemory - e.KeptBytes) / max(1, e.MemoryBytes)
	return max(1, int(min(float64(most), fit)))
}
