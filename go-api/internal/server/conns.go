package server

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// conns are the open connections. http.Server.Shutdown is not used, because it
// waits five seconds for connections that have sent nothing yet, and drops a
// request that has arrived but is not read when it is called.
type conns struct {
	draining *atomic.Bool
	lock     sync.Mutex
	open     map[*conn]struct{}
	// gone is closed when the last connection has closed while draining.
	gone     chan struct{}
	goneOnce sync.Once
}

func newConns(draining *atomic.Bool) *conns {
	return &conns{draining: draining, open: map[*conn]struct{}{}, gone: make(chan struct{})}
}

func (c *conns) add(connection *conn) {
	c.lock.Lock()
	c.open[connection] = struct{}{}
	c.lock.Unlock()
	if c.draining.Load() {
		connection.drain()
	}
}

func (c *conns) remove(connection *conn) {
	c.lock.Lock()
	defer c.lock.Unlock()
	delete(c.open, connection)
	if c.draining.Load() {
		c.tellIfGone()
	}
}

// tellIfGone is called with the lock held.
func (c *conns) tellIfGone() {
	if len(c.open) == 0 {
		c.goneOnce.Do(func() { close(c.gone) })
	}
}

// drain closes the connections on which nothing is going on, and leaves the
// others to close after their answer. The channel is closed once all are gone.
func (c *conns) drain() <-chan struct{} {
	c.draining.Store(true)
	c.lock.Lock()
	left := make([]*conn, 0, len(c.open))
	for connection := range c.open {
		left = append(left, connection)
	}
	c.tellIfGone()
	c.lock.Unlock()
	for _, connection := range left {
		connection.drain()
	}
	return c.gone
}

// idle is an http.Server's ConnState hook: it learns when an answer is done.
func (c *conns) idle(connection net.Conn, state http.ConnState) {
	known, ok := connection.(*conn)
	if !ok || state != http.StateIdle {
		return
	}
	known.busy.Store(false)
	if c.draining.Load() {
		known.drain()
	}
}

type connKey struct{}

// remember is an http.Server's ConnContext hook.
func remember(ctx context.Context, connection net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, connection)
}

// noting marks a connection while a handler is at work on it. The ConnState
// hook would not do: net/http skips it for a pipelined request.
func noting(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if known, ok := request.Context().Value(connKey{}).(*conn); ok {
			known.busy.Store(true)
		}
		handler.ServeHTTP(w, request)
	})
}

// listener gives http.Server connections that conns knows.
type listener struct {
	net.Listener
	conns *conns
}

func (l listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	tcp, ok := accepted.(*net.TCPConn)
	if !ok {
		return accepted, nil
	}
	connection := &conn{TCPConn: tcp, owner: l.conns}
	l.conns.add(connection)
	return connection, nil
}
