package models

import (
	"fmt"
	"time"

	"lbsim/models/record"
	"lbsim/policies"
	"lbsim/sim"
)

// backend serves requests: as many at once as it has workers. Which wait is up to its discipline.
type backend struct {
	// What each request asks for stands in front, in one line of the CPU's cache.
	w           *World
	group       *BackendGroup
	load        *record.Load
	timePerWork float64 // time taken for work that would take 1 at full health and speed 1
	id          sim.ID
	lostBefore  uint32 // the first connection since its last crash: what came by others is lost
	conns       int32  // transports to it that are known
	busy        int32
	dropped     int32 // of those in queue: their clients have given up
	queue       rpcList

	meter        *meter // nil where it reports no load
	failing      []errorShare
	scheduler    scheduler // in place of the queue where the discipline shares
	scheduled    int       // how many are in it
	number       int
	slowed       []float64
	crashed      sim.Time // for the last time
	goAwayBefore uint32   // those before this one were told to go away when it last stopped
	downs        int      // crashes and stops that it has not come back from
	mutes        int32    // while > 0 it accepts connections but sends no SETTINGS
	notServing   int32    // while > 0 it says that it is NOT_SERVING
	l4Conns      int      // connections through its L4 balancer

	errs dialErrors
}

const (
	backendRequest sim.Kind = iota
	backendWorkDone
	backendCancel
	backendScheduledDone // the work of a request is done that shared the workers
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

// Handle is told of the requests and the work of the backend.
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

// request is the arrival of a request. One that was sent on a connection which is reset is lost.
func (b *backend) request(h handle) {
	r := b.w.rpcs.at(h)
	if b.conns > 0 {
		b.requestArrived(r)
	}
	switch {
	case r.connNumber < b.lostBefore:
		b.w.rpcs.release(h)
	case r.place == dropped:
		b.requestDropped(r)
		b.w.rpcs.release(h)
	case b.conns > 0 && (b.dropUnprocessed(h, r) || !b.admitted(h, r)):
	default:
		b.handle(h, r)
	}
}

// handle answers a request, or has a worker do so as soon as one is free.
func (b *backend) handle(h handle, r *rpc) {
	switch {
	case b.w.failing > 0 && b.fails(r):
		b.refuse(h, r, b.failing[len(b.failing)-1].code, 0)
	case b.group.Discipline.StartsAtOnce():
		b.schedule(h, r)
	case int(b.busy) < b.group.Workers || b.group.Queue < 0 ||
		int(b.queue.n-b.dropped) < b.group.Queue:
		b.take(h, r)
	default:
		b.refuse(h, r, b.group.OnFull, queueFull)
	}
}

// take gives a request to a worker, or has it wait for one.
func (b *backend) take(h handle, r *rpc) {
	b.load.Add(b.w.k.Now(), 1)
	if int(b.busy) < b.group.Workers {
		b.occupy(1)
		b.serve(h, r, b.work(r))
		return
	}
	b.enqueue(h, r)
}

// occupy says that so many workers more are busy.
func (b *backend) occupy(n int32) {
	b.busy += n
	b.load.Work(b.w.k.Now(), int64(n))
	if b.group.reports() {
		b.meter.work(b.w.k.Now(), int(n))
	}
}

// serve begins the work of a request. Its worker is counted as busy.
func (b *backend) serve(h handle, r *rpc, work time.Duration) {
	r.place = inService
	b.w.k.After(b.timeFor(work), b.id, backendWorkDone, uint32(h))
	b.w.rpcs.extra[h].drawn = b.w.net.draw(r, saltReply)
}

// work is how long a request keeps a worker at full health and speed 1.
func (b *backend) work(r *rpc) time.Duration {
	work := b.group.Service
	if r.client == noClient {
		work = b.group.ConnectCost
	}
	return work.Quantile(sim.Unit(sim.Mix(r.luck, saltService)))
}

func (b *backend) timeFor(work time.Duration) time.Duration {
	if b.timePerWork == 1 {
		return work
	}
	return nanoseconds(float64(work) * b.timePerWork)
}

// served is the end of a request's work. If the work was broken off meanwhile, somebody else has
// the worker.
func (b *backend) workDone(h handle) {
	r := b.w.rpcs.at(h)
	if r.connNumber < b.lostBefore || r.place == dropped {
		b.w.rpcs.release(h)
		return
	}
	b.finish(h, r)
	b.free()
}

// finish is what comes of work that is done.
func (b *backend) finish(h handle, r *rpc) {
	if r.client == noClient {
		b.w.rpcs.release(h)
		return
	}
	b.load.Done(r.state == rpcEnded)
	r.status = r.status.with(policies.OK)
	b.reply(h, r, b.w.rpcs.extra[h].drawn)
}

// nobody is the client of the work that a new connection makes, which has the record of an RPC.
const noClient = -1

// setUp does the work for a connection that has been accepted. It takes a worker, or waits for one
// as a request does, however full the queue is.
func (b *backend) setUp(luck uint64, epoch uint32) {
	if b.group.ConnectCost == nil {
		return
	}
	h := b.w.rpcs.new()
	r := b.w.rpcs.at(h)
	r.luck, r.client, r.connNumber = sim.Mix(luck, saltSetUp), noClient, epoch
	r.holders, r.state = 1, rpcEnded
	if b.scheduler != nil {
		b.startScheduled(h, r)
		return
	}
	b.take(h, r)
}

// refuse answers a request without work, with a code and maybe the mark queueFull.
func (b *backend) refuse(h handle, r *rpc, code policies.Code, mark rpcStatus) {
	r.status = r.status.with(code) | mark
	b.reply(h, r, b.w.net.draw(r, saltReply))
}

// reply answers a request with its status. The delay is that of the reply.
func (b *backend) reply(h handle, r *rpc, delay time.Duration) {
	if b.group.GoAwayChance > 0 {
		b.goAwayByChance(r)
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

// free gives a worker that is done the next request.
func (b *backend) free() {
	b.load.Add(b.w.k.Now(), -1)
	for b.queue.n > 0 {
		h := b.w.rpcs.shift(&b.queue)
		r := b.w.rpcs.at(h)
		switch {
		case r.place == dropped:
			b.dropped--
			b.w.rpcs.release(h)
		case b.group.DropsOverdue && r.overdue():
			b.dropOverdue(h, r)
		default:
			b.serve(h, r, b.w.rpcs.extra[h].drawn)
			return
		}
	}
	b.occupy(-1)
}

// cancel drops a request whose client has given up, wherever it is.
func (b *backend) cancel(h handle) {
	b.drop(h, b.w.rpcs.at(h))
	b.w.rpcs.release(h)
}

// drop ends what the backend does for a request that nobody waits for any more.
func (b *backend) drop(h handle, r *rpc) {
	if r.connNumber < b.lostBefore {
		return
	}
	switch r.place {
	case onItsWay:
		r.place = dropped
	case queued:
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
		b.free()
	}
}

// crash loses all requests. Those in service are let go when their work would have ended.
func (b *backend) crash() {
	b.lostBefore, b.crashed = b.w.accepted+1, b.w.k.Now()
	b.downs++
	b.load.Add(b.w.k.Now(), -int64(int(b.busy)+b.waiting()))
	b.occupy(-b.busy)
	b.dropped = 0
	if b.scheduler != nil {
		b.scheduled = 0
		for _, h := range b.scheduler.clear() {
			b.w.rpcs.release(h)
		}
	}
	for b.queue.n > 0 {
		b.w.rpcs.release(b.w.rpcs.shift(&b.queue))
	}
}

func (b *backend) down() bool { return b.downs > 0 }

// restart is the begin of another process, unless it is to stay down for another reason.
func (b *backend) restart() {
	b.downs--
	if !b.down() && b.meter != nil {
		b.meter.begin(b.w.k.Now())
	}
}
