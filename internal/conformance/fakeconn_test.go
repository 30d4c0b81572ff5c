package conformance

import (
	"bytes"
	"io"
	"net"
	"slices"
	"syscall"
	"time"
)

// send puts a segment on its way to the other end. The network's lock is held.
func (c *fakeConn) send(s segment) {
	if c.host.hole {
		return
	}
	n := c.host.net
	s.due = time.Now().Add(n.delay)
	c.peer.in.segments = append(c.peer.in.segments, s)
	c.peer.in.wakeIn(n.delay)
}

func (c *fakeConn) Read(b []byte) (int, error) { return c.in.read(b) }

// Write never blocks. What is written to an end that is gone is lost; so it is when an RST is on
// its way from there, for nobody is left to read it.
func (c *fakeConn) Write(b []byte) (int, error) {
	n := c.host.net
	n.mu.Lock()
	defer n.mu.Unlock()
	if c.in.err != nil {
		return 0, c.in.err
	}
	if s := c.in.segments; len(s) > 0 && s[0].err == syscall.ECONNRESET &&
		!s[0].due.After(time.Now()) {
		return 0, syscall.ECONNRESET
	}
	c.send(segment{data: bytes.Clone(b)})
	return len(b), nil
}

// Close sends a FIN.
func (c *fakeConn) Close() error {
	n := c.host.net
	n.mu.Lock()
	defer n.mu.Unlock()
	if c.in.err != nil {
		return nil
	}
	c.in.fail(net.ErrClosed)
	c.send(segment{err: io.EOF})
	h := c.host
	h.conns = slices.DeleteFunc(h.conns, func(o *fakeConn) bool { return o == c })
	return nil
}

func (c *fakeConn) LocalAddr() net.Addr  { return fakeAddr("10.9.9.9:9") }
func (c *fakeConn) RemoteAddr() net.Addr { return fakeAddr(c.host.address) }

func (c *fakeConn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }

// SetWriteDeadline does nothing, for no write takes time.
func (c *fakeConn) SetWriteDeadline(time.Time) error { return nil }

func (c *fakeConn) SetReadDeadline(t time.Time) error {
	c.in.net.mu.Lock()
	defer c.in.net.mu.Unlock()
	c.in.deadline = t
	if !t.IsZero() {
		c.in.wakeIn(max(0, time.Until(t)))
	}
	return nil
}
