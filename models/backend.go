package models

import (
	"fmt"
	"time"

	"lbsim/models/record"
	"lbsim/policies"
	"lbsim/sim"
)

// backend is a server process: workers, a queue, and what it knows of its connections. A discipline
// that starts requests on arrival has a scheduler; the others have the queue.
//
// Invariants: 0 <= busy <= Workers of the group; without a scheduler, a worker is idle only if no
// request waits. busy is what record.Load counts as workers in service.
type backend struct {
	// The first fields are those that every request reads: one cache line.
	w           *World
	group       *BackendGroup
	load        *record.Load
	timePerWork float64 // time for work of 1: slow-down factors ÷ speed
	id          sim.ID
	// lostBefore is the number of the first connection since the latest crash: connections with
	// lower numbers were lost in a crash, with all requests that came by them. 0 before any crash.
	lostBefore uint32
	conns      int32 // transports to it in World.conns
	busy       int32 // workers
	dropped    int32 // requests in queue that have been dropped
	queue      rpcList

	meter     *meter       // nil where it reports no load
	failing   []errorShare // failures of kind errors in force; the last one counts
	scheduler scheduler    // nil where the discipline uses the queue
	scheduled int          // requests in scheduler
	number    int          // among all backends, from 0
	slowed    []float64    // slow-down factors in force
	crashed   sim.Time     // moment of the latest crash
	// goAwayBefore is lostBefore for graceful stops: connections with lower numbers get a GOAWAY.
	goAwayBefore uint32
	downs        int   // crashes and stops less restarts; it is down while > 0
	mutes        int32 // failures of kind mute in force: it accepts but sends no SETTINGS
	notServing   int32 // failures of kind unhealthy in force: its health is NOT_SERVING
	l4Conns      int   // connections through its L4 balancer

	errs dialErrors
}

// Events of a backend. The argument is the handle of an RPC, save where another stands.
const (
	backendRequest       sim.Kind = iota // a request arrives
	backendWorkDone                      // a worker has done the work of a request
	backendCancel                        // a cancellation arrives
	backendScheduledDone                 // work in the scheduler is done; see scheduler.done
)

func (b *backend) init(w *World, number int, g *BackendGroup, name string) {
	*b = backend{w: w, group: g, number: number, load: &w.rec.Loads[number]}
	b.errs = newDialErrors(name)
	if b.id = w.k.Register(b); b.id != w.backendID(int32(number)) {
		panic(fmt.Sprintf("models: backend %d is actor %d", number, b.id))
	}
	b.scheduler = newScheduler(b)
	b.setTimePerWork()
	if g.reports() {
		b.meter = newMeter(g)
	}
}

// Handle handles the events of the backend.
func (b *backend) Handle(ev sim.Event) {
	h := handle(ev.Arg)
	switch ev.Kind() {
	case backendRequest:
		b.request(h)
	case backendWorkDone:
		b.workDone(h)
	case backendCancel:
		b.cancel(h)
	case backendScheduledDone:
		b.scheduledDone(ev.Arg)
	}
}

// request handles the arrival of a request. It is lost if its connection broke in a crash.
func (b *backend) request(h handle) {
	r := b.w.rpcs.at(h)
	if b.conns > 0 {
		b.requestArrived(r)
	}
	switch {
	case r.connNumber < b.lostBefore:
		b.w.rpcs.release(h)
	case r.place == dropped: // its cancellation has overtaken it
		b.requestDropped(r)
		b.w.rpcs.release(h)
	case b.conns > 0 && (b.dropUnprocessed(h, r) || !b.admitted(h, r)):
	default:
		b.handle(h, r)
	}
}

// handle starts a request, queues it, or answers it with an error.
func (b *backend) handle(h handle, r *rpc) {
	switch {
	case b.w.failing > 0 && b.fails(r):
		b.refuse(h, r, b.failing[len(b.failing)-1].code, 0)
	case b.group.Discipline.StartsAtOnce():
		b.schedule(h, r)
	case int(b.busy) < b.group.Workers || b.group.Queue < 0 || // Queue < 0: unbounded
		int(b.queue.n-b.dropped) < int(b.group.Queue):
		b.take(h, r)
	default:
		b.refuse(h, r, b.group.OnFull.Code(), queueFull)
	}
}

// take gives a request to a free worker, or queues it.
func (b *backend) take(h handle, r *rpc) {
	b.load.Add(b.w.k.Now(), 1)
	if int(b.busy) < b.group.Workers {
		b.occupy(1)
		b.serve(h, r, b.work(r))
		return
	}
	b.enqueue(h, r)
}

// occupy records that n more workers are busy (or, negative, fewer).
func (b *backend) occupy(n int32) {
	b.busy += n
	b.load.Work(b.w.k.Now(), int64(n))
	if b.group.reports() {
		b.meter.work(b.w.k.Now(), int(n))
	}
}

// serve starts the work of a request. The caller has counted its worker as busy.
func (b *backend) serve(h handle, r *rpc, work time.Duration) {
	r.place = inService
	b.w.k.After(b.timeFor(work), b.id, backendWorkDone, uint32(h))
	b.w.rpcs.extra[h].drawn = b.w.net.draw(r, saltReply) // early; see rpcExtra
}

// work returns the service time of a request at speed 1.
func (b *backend) work(r *rpc) time.Duration {
	work := b.group.Service
	if r.client == noClient {
		work = b.group.ConnectCost
	}
	return work.Quantile(sim.Unit(sim.Mix(r.luck, saltService)))
}

// timeFor returns how long a worker takes for work that starts now.
func (b *backend) timeFor(work time.Duration) time.Duration {
	if b.timePerWork == 1 {
		return work // exact: a float has 53 bits
	}
	return nanoseconds(float64(work) * b.timePerWork)
}

// workDone handles the end of a request's work. If the request was dropped or lost meanwhile, its
// worker was freed then.
func (b *backend) workDone(h handle) {
	r := b.w.rpcs.at(h)
	if r.connNumber < b.lostBefore || r.place == dropped {
		b.w.rpcs.release(h)
		return
	}
	b.finish(h, r)
	b.free()
}

// finish replies to a request whose work is done. Work of a connection has no reply.
func (b *backend) finish(h handle, r *rpc) {
	if r.client == noClient {
		b.w.rpcs.release(h)
		return
	}
	b.load.Done(r.state == rpcEnded) // wasted if the client has given up
	r.status = r.status.with(policies.OK)
	b.reply(h, r, b.w.rpcs.extra[h].drawn)
}

// noClient is the client of the work that a new connection causes. Such work has a record like an
// RPC.
const noClient = -1

// setUp does the work of a connection that has been accepted. It takes a worker or waits for one
// like a request, also where the queue is full.
func (b *backend) setUp(luck uint64, connNumber uint32) {
	if b.group.ConnectCost == nil {
		return
	}
	h := b.w.rpcs.new()
	r := b.w.rpcs.at(h)
	r.luck, r.client, r.connNumber = sim.Mix(luck, saltSetUp), noClient, connNumber
	r.holders, r.state = 1, rpcEnded // no client waits for it
	if b.scheduler != nil {
		b.startScheduled(h, r)
		return
	}
	b.take(h, r)
}

// refuse replies to a request without work, with a code and maybe the flag queueFull.
func (b *backend) refuse(h handle, r *rpc, code policies.Code, flag rpcStatus) {
	r.status = r.status.with(code) | flag
	b.reply(h, r, b.w.net.draw(r, saltReply))
}

// reply sends the reply to a request with the status in its record; delay is the delay of the
// reply.
func (b *backend) reply(h handle, r *rpc, delay time.Duration) {
	if b.group.GoAwayChance > 0 {
		b.goAwayByChance(r) // before the reply on the same connection
	}
	r.place = replied
	if b.group.reports() {
		b.measureReply(h, r.status.code())
	}
	if b.w.net.cuts+int(b.conns) > 0 && !b.canSendReply(h, r) {
		return
	}
	b.w.k.After(delay, b.w.clients[r.client].id, clientReply, uint32(h))
}

// free gives a worker that is done the next request of the queue.
func (b *backend) free() {
	b.load.Add(b.w.k.Now(), -1) // the request that had the worker
	for b.queue.n > 0 {
		h := b.w.rpcs.shift(&b.queue)
		r := b.w.rpcs.at(h)
		switch {
		case r.place == dropped:
			b.dropped--
			b.w.rpcs.release(h)
		case b.group.OnExpired == DropExpired && r.overdue():
			b.dropOverdue(h, r)
		default:
			b.serve(h, r, b.w.rpcs.extra[h].drawn)
			return
		}
	}
	b.occupy(-1) // no request waits
}

// cancel handles a cancellation.
func (b *backend) cancel(h handle) {
	b.drop(h, b.w.rpcs.at(h))
	b.w.rpcs.release(h)
}

// drop drops a request that the client has given up, wherever it is. A request that has not arrived
// is dropped when it arrives.
func (b *backend) drop(h handle, r *rpc) {
	if r.connNumber < b.lostBefore {
		return
	}
	switch r.place {
	case onItsWay:
		r.place = dropped
	case queued:
		// The request stays in the list, where removing it would take a search. free skips it.
		r.place = dropped
		b.handlerDropped(r)
		b.dropped++
		b.load.Add(b.w.k.Now(), -1)
	case inService:
		r.place = dropped
		b.handlerDropped(r)
		if b.scheduler != nil {
			b.scheduler.drop(h)
			b.scheduledGone()
			b.w.rpcs.release(h)
			return
		}
		b.free() // the record is released by the event workDone
	}
}
