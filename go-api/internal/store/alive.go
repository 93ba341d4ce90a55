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
// Anything readable means that the connection is over: an idle server sends
// nothing but the reason why it leaves (or, rarely, a notice, for which a new
// connection is a fair price).
func isAlive(_ context.Context, connection *pgx.Conn) (bool, error) {
	socket, ok := connection.PgConn().Conn().(syscall.Conn)
	if !ok {
		return true, nil // TLS: only a query can tell
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false, nil //nolint:nilerr // the pool replaces the connection, which is the answer
	}
	alive := false
	err = raw.Read(func(descriptor uintptr) bool {
		var one [1]byte
		_, err := syscall.Read(int(descriptor), one[:])
		alive = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK
		return true
	})
	return err == nil && alive, nil
}
