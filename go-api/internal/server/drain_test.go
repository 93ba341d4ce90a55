package server

import (
	"errors"
	"net"
	"net/http"
	"testing"
	"time"
)

func TestStopClosesIdleAndUnusedConnectionsAtOnce(t *testing.T) {
	server := start(t, hello, time.Minute)
	idle, unused, halfway := server.connect(t), server.connect(t), server.connect(t)
	idle.send(get + "\r\n")
	idle.answer()
	halfway.send("GET /hel")
	began := time.Now()
	if err := server.stopped(t); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > readingGrace+time.Second {
		t.Errorf("took %s", took)
	}
	for name, client := range map[string]*client{"idle": idle, "unused": unused, "halfway": halfway} {
		if !client.isClosed() {
			t.Errorf("%s: still open", name)
		}
	}
	if _, err := net.Dial("tcp", server.listener.Addr().String()); err == nil {
		t.Error("still listening")
	}
}

// held is a handler that waits for the test.
type held struct{ started, release chan struct{} }

func newHeld() held { return held{make(chan struct{}), make(chan struct{})} }

func (h held) serve(w http.ResponseWriter, request *http.Request) {
	h.started <- struct{}{}
	<-h.release
	hello(w, request)
}

func TestStopFinishesWhatIsInFlight(t *testing.T) {
	slow := newHeld()
	server := start(t, slow.serve, time.Minute)
	client := server.connect(t)
	// net/http tells nothing of the second one: it came with the first.
	client.send(get + "\r\n" + get + "\r\n")
	<-slow.started
	slow.release <- struct{}{}
	client.answer()
	<-slow.started

	server.stop()
	server.waitUntilDraining(t)
	slow.release <- struct{}{}
	if got := client.answer(); got.StatusCode != 200 {
		t.Errorf("got %s", got.Status)
	}
	if err := server.stopped(t); err != nil {
		t.Error(err)
	}
	if !client.isClosed() {
		t.Error("still open")
	}
}

func TestStopCutsWhatTakesTooLong(t *testing.T) {
	slow := newHeld()
	server := start(t, slow.serve, 20*time.Millisecond)
	defer close(slow.release)
	client := server.connect(t)
	client.send(get + "\r\n")
	<-slow.started
	if err := server.stopped(t); !errors.Is(err, ErrCut) {
		t.Errorf("got %v", err)
	}
	if !client.isClosed() {
		t.Error("still open")
	}
}

func TestAPortInUseIsAnError(t *testing.T) {
	first := start(t, hello, time.Second)
	port := first.listener.Addr().(*net.TCPAddr).Port
	if _, err := Listen(Options{Host: "127.0.0.1", Port: port}); err == nil {
		t.Error("listened twice")
	}
}
