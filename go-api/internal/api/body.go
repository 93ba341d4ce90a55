package api

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// bodyTimeout is how long a client may take to send a body that nobody reads.
const bodyTimeout = time.Minute

// writeBesideBody answers a request that announces a body. No endpoint reads
// one. net/http would wait for the body before it sends the answer; Node
// answers at once and throws the body away afterwards, and so does this.
func (a *API) writeBesideBody(w http.ResponseWriter, request *http.Request, answer reply) {
	// The client waits for leave to send: net/http answers and then closes.
	if request.Header.Get("Expect") != "" {
		_ = answer.write(w, request.Method)
		return
	}
	connection := http.NewResponseController(w)
	err := errors.Join(
		connection.EnableFullDuplex(),
		connection.SetReadDeadline(time.Now().Add(bodyTimeout)),
		answer.write(w, request.Method),
		connection.Flush(),
	)
	if err != nil {
		return // the client is gone
	}
	// What cannot be read ends the connection: net/http notices by itself.
	_, _ = io.Copy(io.Discard, request.Body)
}
