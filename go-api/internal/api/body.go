package api

import (
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	// bodyTimeout is how long a client may take to send a body that nobody reads.
	bodyTimeout = time.Minute
	// expectTimeout is how long a connection stays that is about to close
	// because its client asked for leave to send: closing at once could reset
	// it before the client has read the answer.
	expectTimeout = 500 * time.Millisecond
)

// writeBesideBody answers a request that announces a body. No endpoint reads
// one. net/http would wait for the body before it sends the answer; Node
// answers at once and throws the body away afterwards, and so does this.
//
// A client that asked for leave (Expect: 100-continue) gets its answer, not
// the leave. Whether the body comes all the same cannot be known, so net/http
// closes the connection.
func (a *API) writeBesideBody(w http.ResponseWriter, request *http.Request, answer reply) {
	asked := request.Header.Get("Expect") != ""
	timeout := bodyTimeout
	if asked {
		timeout = expectTimeout
	}
	connection := http.NewResponseController(w)
	err := errors.Join(
		connection.EnableFullDuplex(),
		connection.SetReadDeadline(time.Now().Add(timeout)),
		answer.write(w, request.Method),
		connection.Flush(),
	)
	if err != nil || asked {
		return // an error means that the client is gone
	}
	// What cannot be read ends the connection: net/http notices by itself.
	_, _ = io.Copy(io.Discard, request.Body)
}
