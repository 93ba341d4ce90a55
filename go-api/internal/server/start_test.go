package server

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"loadlab/go-api/internal/events"
)

// running is a server that a test can stop.
type running struct {
	*Server
	stop   context.CancelFunc
	result chan error
}

// patience bounds every wait of these tests; none of them needs it.
const patience = 5 * time.Second

func start(t *testing.T, handler http.HandlerFunc, shutdownTimeout time.Duration) *running {
	t.Helper()
	listening, err := Listen(Options{
		Host:             "127.0.0.1",
		Handler:          handler,
		Logger:           events.New(t.Output()),
		MaxHeaderBytes:   16384,
		KeepAliveTimeout: time.Minute,
		ShutdownTimeout:  shutdownTimeout,
		Draining:         new(atomic.Bool),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	started := &running{listening, stop, make(chan error, 1)}
	go func() { started.result <- listening.Serve(ctx) }()
	t.Cleanup(stop)
	return started
}

// stopped stops the server and returns what Serve says.
func (r *running) stopped(t *testing.T) error {
	t.Helper()
	r.stop()
	select {
	case err := <-r.result:
		return err
	case <-time.After(patience):
		t.Fatal("the server does not stop")
		return nil
	}
}

// waitUntilDraining polls: Serve tells nobody that it has begun to stop.
func (r *running) waitUntilDraining(t *testing.T) {
	t.Helper()
	for began := time.Now(); !r.conns.draining.Load(); time.Sleep(time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatal("the server does not begin to stop")
		}
	}
}

// client is one connection, spoken to in raw bytes.
type client struct {
	net.Conn
	answers *bufio.Reader
	t       *testing.T
}

func (r *running) connect(t *testing.T) *client {
	t.Helper()
	connection, err := net.Dial("tcp", r.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() }) // a test may have closed it
	if err := connection.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &client{connection, bufio.NewReader(connection), t}
}

func (c *client) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.Conn, text); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) answer() *http.Response {
	c.t.Helper()
	response, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		c.t.Fatal(err)
	}
	return response
}

// isClosed waits until the server closes the connection, whatever it still
// sends.
func (c *client) isClosed() bool {
	_, err := io.Copy(io.Discard, c.answers)
	timeout, ok := errors.AsType[net.Error](err)
	return !ok || !timeout.Timeout()
}

func hello(w http.ResponseWriter, _ *http.Request) {
	const body = "hello"
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = io.WriteString(w, body) // the client may be gone
}
