package store

import (
	"context"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// isAlive looks whether the server has closed an idle connection, without
// waiting and without a round trip. Node learns of it from its event loop; Go
// would only learn from the query that fails, so one restart of the database
// would cost a 503 for every pooled connection.
//
// Anything to read means that the connection is over: an idle server sends
// nothing but the reason why it leaves (or, rarely, a notice, for which a new
// connection is a fair price).
//
// It peeks through Control, not Read: pgx may have left a reader of its own
// behind on the socket (it starts one when a write is slow), which holds the
// lock that Read would wait for, for ever on an idle connection.
func isAlive(_ context.Context, connection *pgx.Conn) (bool, error) {
	socket, ok := connection.PgConn().Conn().(syscall.Conn)
	if !ok {
		return true, nil // TLS: only a query can tell
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false, nil // the pool opens another one: that is the answer
	}
	alive := false
	err = raw.Control(func(descriptor uintptr) {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(descriptor), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		alive = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK
	})
	return err == nil && alive, nil
}
