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
	w       *World
	group   *BackendGroup
	load    *record.Load
	stretch float64 // time taken for work that would take 1 at full health and speed 1
	id      sim.ID
	epoch   uint32 // the first connection since its last crash: what came by others is lost
	conns   int32  // transports to it that are known
	busy    int32
	dropped int32 // of those in queue: their clients have given up
	queue   line

	meter   *meter // nil where it reports no load
	failing []errorShare
	sharing sharing // in place of the queue where the discipline shares
	shared  int     // how many are in it
	number  int
	slowed  []float64
	crashed sim.Time // for the last time
	told    uint32   // those before this one were told to go away when it last stopped
	downs   int      // crashes and stops that it has not come back from
	mutes   int32    // while > 0 it accepts connections but sends no SETTINGS
	ills    int32    // while > 0 it says that it is NOT_SERVING
	through int      // connections through its L4 balancer

	errs dialErrors
}

const (
	backendRequest sim.Kind = iota
	backendServed
	backendCancel
	backendShared // the work of a request is done that shared the workers
)

func (b *backend) init(w *World, number int, g *BackendGroup, name string) {
	*b = backend{w: w, group: g, number: number, load: &w.rec.Loads[number]}
	b.errs = newDialErrors(name)
	if b.id = w.k.Register(b); b.id != w.backendID(int32(number)) {
		panic(fmt.Sprintf("models: backend %d is actor %d", number, b.id))
	}
	b.sharing = newSharing(b)
	b.setStretch()
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
	case backendServed:
		b.served(h)
	case backendCancel:
		b.cancel(h)
	case backendShared:
		b.sharedDone(ev.Arg)
	}
}

// request is the arrival of a request. One that was sent on a connection which is reset is lost.
func (b *backend) request(h handle) {
	r := b.w.rpcs.at(h)
	if b.conns > 0 {
		b.arrived(r)
	}
	switch {
	case r.epoch < b.epoch:
		b.w.rpcs.release(h)
	case r.place == stopped:
		b.noMore(r)
		b.w.rpcs.release(h)
	case b.conns > 0 && (b.passOver(h, r) || !b.admitted(h, r)):
	default:
		b.handle(h, r)
	}
}

// handle answers a request, or has a worker do so as soon as one is free.
func (b *backend) handle(h handle, r *rpc) {
	switch {
	case b.w.failing > 0 && b.fails(r):
		b.refuse(h, r, b.failing[len(b.failing)-1].code, 0)
	case b.group.Discipline.Shares():
		b.share(h, r)
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
	b.w.k.After(b.stretched(work), b.id, backendServed, uint32(h))
	b.w.rpcs.ahead[h].drawn = b.w.net.draw(r, saltReply)
}

// work is how long a request keeps a worker at full health and speed 1.
func (b *backend) work(r *rpc) time.Duration {
	work := b.group.Service
	if r.client == nobody {
		work = b.group.ConnectCost
	}
	return work.Quantile(sim.Unit(sim.Mix(r.luck, saltService)))
}

func (b *backend) stretched(work time.Duration) time.Duration {
	if b.stretch == 1 {
		return work
	}
	return nanoseconds(float64(work) * b.stretch)
}

// served is the end of a request's work. If the work was broken off meanwhile, somebody else has
// the worker.
func (b *backend) served(h handle) {
	r := b.w.rpcs.at(h)
	if r.epoch < b.epoch || r.place == stopped {
		b.w.rpcs.release(h)
		return
	}
	b.finish(h, r)
	b.free()
}

// finish is what comes of work that is done.
func (b *backend) finish(h handle, r *rpc) {
	if r.client == nobody {
		b.w.rpcs.release(h)
		return
	}
	b.load.Done(r.state == rpcEnded)
	r.status = r.status.with(policies.OK)
	b.reply(h, r, b.w.rpcs.ahead[h].drawn)
}

// nobody is the client of the work that a new connection makes, which has the record of an RPC.
const nobody = -1

// setUp does the work for a connection that has been accepted. It takes a worker, or waits for one
// as a request does, however full the queue is.
func (b *backend) setUp(luck uint64, epoch uint32) {
	if b.group.ConnectCost == nil {
		return
	}
	h := b.w.rpcs.new()
	r := b.w.rpcs.at(h)
	r.luck, r.client, r.epoch = sim.Mix(luck, saltSetUp), nobody, epoch
	r.holders, r.state = 1, rpcEnded
	if b.sharing != nil {
		b.begin(h, r)
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
		b.sendAway(r)
	}
	r.place = answered
	if b.group.reports() {
		b.answered(h, r.status.code())
	}
	if b.w.net.cuts+int(b.conns) > 0 && !b.getsThrough(h, r) {
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
		case r.place == stopped:
			b.dropped--
			b.w.rpcs.release(h)
		case b.group.DropsOverdue && r.overdue():
			b.pass(h, r)
		default:
			b.serve(h, r, b.w.rpcs.ahead[h].drawn)
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
	if r.epoch < b.epoch {
		return
	}
	switch r.place {
	case onItsWay:
		r.place = stopped
	case queued:
		r.place = stopped
		b.unhandled(r)
		b.dropped++
		b.load.Add(b.w.k.Now(), -1)
	case inService:
		r.place = stopped
		b.unhandled(r)
		if b.sharing != nil {
			b.sharing.drop(h)
			b.unshare()
			b.w.rpcs.release(h)
			return
		}
		b.free()
	}
}

// crash loses all requests. Those in service are let go when their work would have ended.
func (b *backend) crash() {
	b.epoch, b.crashed = b.w.accepted+1, b.w.k.Now()
	b.downs++
	b.load.Add(b.w.k.Now(), -int64(int(b.busy)+b.waiting()))
	b.occupy(-b.busy)
	b.dropped = 0
	if b.sharing != nil {
		b.shared = 0
		for _, h := range b.sharing.clear() {
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
