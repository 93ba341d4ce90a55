package server

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// fresh knows the connections that have not sent a byte yet. Shutdown closes
// idle connections at once, but waits five seconds for these: a load generator
// that connects ahead would hold up every restart.
type fresh struct {
	// count spares requests the lock: it is zero once every client has spoken.
	count  atomic.Int64
	lock   sync.Mutex
	closed bool
	open   map[net.Conn]struct{}
}

func newFresh() *fresh { return &fresh{open: map[net.Conn]struct{}{}} }

// note is an http.Server's ConnState hook.
func (f *fresh) note(connection net.Conn, state http.ConnState) {
	if state == http.StateNew {
		f.add(connection)
		return
	}
	if f.count.Load() > 0 {
		f.remove(connection)
	}
}

func (f *fresh) add(connection net.Conn) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.closed {
		_ = connection.Close() // accepted while the listener was closing
		return
	}
	f.open[connection] = struct{}{}
	f.count.Store(int64(len(f.open)))
}

func (f *fresh) remove(connection net.Conn) {
	f.lock.Lock()
	defer f.lock.Unlock()
	delete(f.open, connection)
	f.count.Store(int64(len(f.open)))
}

// closeAll closes every connection that has said nothing, now and from now on.
func (f *fresh) closeAll() {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.closed = true
	for connection := range f.open {
		_ = connection.Close() // the client may have been faster
	}
}
