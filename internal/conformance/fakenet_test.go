package conformance

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"lbsim/models"
)

// fakeNet is a network between clients and hosts: every message takes delay. To connect takes two
// delays, after which the client has its end of the connection and the host accepts the other, so
// that what the server says first arrives three delays after the dial, as in lbsim.
type fakeNet struct {
	mu    sync.Mutex // of everything below it
	delay time.Duration
	hosts []*fakeHost
}

// fakeHost is one address. Its listener, conns and states belong to the process that runs on it.
type fakeHost struct {
	net      *fakeNet
	address  string
	listener *fakeListener // nil while nobody listens
	hole     bool          // all that is sent from or to it is lost
	refuses  bool          // whoever wants to connect
	mute     bool          // it connects, and nobody ever accepts
	conns    []*fakeConn   // the host's ends
}

// newFakeNet has a host for each address of so many backends.
func newFakeNet(backends int, labels []models.Label, delay time.Duration) *fakeNet {
	n := &fakeNet{delay: delay}
	for range backends {
		for _, l := range labels {
			text := address(len(n.hosts), strings.HasPrefix(l.String(), "ipv6"))
			n.hosts = append(n.hosts, &fakeHost{net: n, address: text})
		}
	}
	return n
}

// address is the text of address n.
func address(n int, ipv6 bool) string {
	if ipv6 {
		return fmt.Sprintf("[2001:db8::%x]:80", n+1)
	}
	return fmt.Sprintf("10.0.0.%d:80", n+1)
}

// number is that of an address, by its text.
func number(text string) int {
	for n := range 100 {
		if text == address(n, false) || text == address(n, true) {
			return n
		}
	}
	panic(fmt.Sprintf("address %q is none of ours", text))
}

// pause waits for d, or less if the context ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// dial connects to a host. Whether it is there is decided when a SYN arrives: as from Linux, each
// that nobody answers is followed by another, twice as long after it as it was after the one
// before, six times in all, and the attempt fails 127 s after the first.
func (n *fakeNet) dial(ctx context.Context, address string) (net.Conn, error) {
	h := n.hosts[number(address)]
	if err := pause(ctx, n.delay); err != nil {
		return nil, err
	}
	client, hole := h.syn()
	for again := range 6 {
		if !hole {
			break
		}
		if err := pause(ctx, time.Second<<again); err != nil {
			return nil, err
		}
		client, hole = h.syn()
	}
	if hole {
		if err := pause(ctx, 64*time.Second-n.delay); err != nil {
			return nil, err
		}
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ETIMEDOUT}
	}
	if err := pause(ctx, n.delay); err != nil {
		if client != nil {
			client.Close()
		}
		return nil, err
	}
	if client == nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if l := h.listener; l != nil && !h.mute && slices.Contains(h.conns, client.peer) {
		l.backlog = append(l.backlog, client.peer)
		l.wake.Broadcast()
	}
	return client, nil
}

// syn is the arrival of a SYN. A host where nobody listens, or that refuses, answers without a
// connection.
func (h *fakeHost) syn() (client *fakeConn, hole bool) {
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	if h.hole || h.listener == nil || h.refuses {
		return nil, h.hole
	}
	client = &fakeConn{host: h, in: newStream(h.net)}
	server := &fakeConn{host: h, in: newStream(h.net), peer: client}
	client.peer = server
	h.conns = append(h.conns, server)
	return client, false
}

// listen begins to accept connections.
func (h *fakeHost) listen() net.Listener {
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	h.listener = &fakeListener{host: h, wake: sync.NewCond(&h.net.mu)}
	return h.listener
}

// kill is the end of the process: nobody listens any more, and each connection is reset.
func (h *fakeHost) kill() {
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	h.listener.close()
	for _, c := range h.conns {
		c.in.fail(syscall.ECONNRESET)
		c.send(segment{err: syscall.ECONNRESET})
	}
	h.conns = nil
}

// setBlackhole begins or ends a black hole around the host.
func (h *fakeHost) setBlackhole(hole bool) {
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	h.hole = hole
}

// refuse makes the host refuse connections that are made, or ends that.
func (h *fakeHost) refuse(refuses bool) {
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	h.refuses = refuses
}

// silence makes the host accept no connection that is made, or ends that.
func (h *fakeHost) silence(mute bool) {
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	h.mute = mute
}

type fakeListener struct {
	host    *fakeHost
	backlog []*fakeConn
	closed  bool
	wake    *sync.Cond
}

func (l *fakeListener) Accept() (net.Conn, error) {
	l.host.net.mu.Lock()
	defer l.host.net.mu.Unlock()
	for len(l.backlog) == 0 && !l.closed {
		l.wake.Wait()
	}
	if l.closed {
		return nil, net.ErrClosed
	}
	c := l.backlog[0]
	l.backlog = l.backlog[1:]
	return c, nil
}

func (l *fakeListener) Close() error {
	l.host.net.mu.Lock()
	defer l.host.net.mu.Unlock()
	l.close()
	return nil
}

func (l *fakeListener) close() {
	l.closed = true
	if l.host.listener == l {
		l.host.listener = nil
	}
	l.wake.Broadcast()
}

func (l *fakeListener) Addr() net.Addr { return fakeAddr(l.host.address) }

type fakeAddr string

func (fakeAddr) Network() string  { return "tcp" }
func (a fakeAddr) String() string { return string(a) }

// fakeConn is one end of a connection.
type fakeConn struct {
	host *fakeHost
	peer *fakeConn
	in   *stream // what this end reads
}

// stream is what comes from the other end, in order.
type stream struct {
	net      *fakeNet
	wake     *sync.Cond
	segments []segment
	deadline time.Time // for reading; zero for none
	err      error     // why nothing can be read or written any more
}

// segment is data on its way, or the end: io.EOF of a FIN, ECONNRESET of an RST.
type segment struct {
	due  time.Time
	data []byte
	err  error
}

func newStream(n *fakeNet) *stream { return &stream{net: n, wake: sync.NewCond(&n.mu)} }

// wakeIn lets the reader look again d from now.
func (s *stream) wakeIn(d time.Duration) {
	time.AfterFunc(d, func() {
		s.net.mu.Lock()
		defer s.net.mu.Unlock()
		s.wake.Broadcast()
	})
}

// fail ends reading and writing here at once.
func (s *stream) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.wake.Broadcast()
}

func (s *stream) read(b []byte) (int, error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	for {
		now := time.Now()
		switch {
		case s.err != nil:
			return 0, s.err
		case len(s.segments) > 0 && !s.segments[0].due.After(now):
			first := &s.segments[0]
			if first.err != nil {
				return 0, first.err
			}
			n := copy(b, first.data)
			if first.data = first.data[n:]; len(first.data) == 0 {
				s.segments = s.segments[1:]
			}
			return n, nil
		case !s.deadline.IsZero() && !s.deadline.After(now):
			return 0, os.ErrDeadlineExceeded
		}
		s.wake.Wait()
	}
}
