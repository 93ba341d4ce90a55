package server

import (
	"net"
	"sync/atomic"
	"syscall"
	"time"
)

// readingGrace is how long a stopping server waits for the rest of a request.
const readingGrace = time.Second

// conn embeds the TCP connection itself: net/http asks for more of its methods
// than net.Conn has.
type conn struct {
	*net.TCPConn
	owner *conns
	// busy from the first byte of a request to the last of its answer.
	busy atomic.Bool
}

// Read notes that a request has begun: net/http only tells when its whole
// header has been read.
func (c *conn) Read(into []byte) (int, error) {
	count, err := c.TCPConn.Read(into)
	if count > 0 && !c.busy.Load() {
		c.busy.Store(true)
	}
	return count, err
}

// SetReadDeadline shortens what net/http asks for while the server stops: a
// client that sends half a request must not hold up the rest. It does not
// touch answers in progress: they are written, not read.
func (c *conn) SetReadDeadline(at time.Time) error {
	if c.owner.draining.Load() {
		limit := time.Now().Add(readingGrace)
		if at.IsZero() || at.After(limit) {
			at = limit
		}
	}
	return c.TCPConn.SetReadDeadline(at)
}

// Close also takes the connection off the list.
func (c *conn) Close() error {
	err := c.TCPConn.Close()
	c.owner.remove(c)
	return err
}

// drain ends the connection if nothing is going on, and else bounds what is
// still to be read. An error of either means that it is closed already.
func (c *conn) drain() {
	if !c.busy.Load() && !c.hasArrived() {
		_ = c.Close()
		return
	}
	_ = c.SetReadDeadline(time.Time{})
}

// hasArrived says whether bytes wait in the socket: a request that the client
// has sent in good faith, and that deserves its answer.
func (c *conn) hasArrived() bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	arrived := false
	err = raw.Control(func(descriptor uintptr) {
		var one [1]byte
		count, _, err := syscall.Recvfrom(int(descriptor), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		arrived = err == nil && count > 0
	})
	return err == nil && arrived
}

const badRequest = "HTTP/1.1 400 Bad Request\r\n" +
	"Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request"

// Write sends 400 in place of net/http's own 501 and 505: for an unknown
// transfer coding and an unknown HTTP version it answers by itself, before any
// handler, each with one write, and the contract says 400 for whatever a
// parser refuses. No handler answers with either.
func (c *conn) Write(response []byte) (int, error) {
	if !isRefusal(response) {
		return c.TCPConn.Write(response)
	}
	if _, err := c.TCPConn.Write([]byte(badRequest)); err != nil {
		return 0, err
	}
	return len(response), nil
}

func isRefusal(response []byte) bool {
	const prefix = "HTTP/1.1 50"
	if len(response) <= len(prefix) || string(response[:len(prefix)]) != prefix {
		return false
	}
	digit := response[len(prefix)]
	return digit == '1' || digit == '5'
}
