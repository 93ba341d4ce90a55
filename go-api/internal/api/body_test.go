package api

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A body that nobody reads neither delays the answer nor spoils the next one.
func TestBodiesAreThrownAway(t *testing.T) {
	server := httptest.NewServer(newStack(t))
	defer server.Close()
	const post, get = "POST /hello HTTP/1.1\r\nHost: x\r\n", "GET /hello HTTP/1.1\r\nHost: x\r\n"
	for _, test := range []struct {
		name, head, body string
		status           int
	}{
		{"a length", post + "Content-Length: 3\r\n\r\n", "abc", 405},
		{"chunks", post + "Transfer-Encoding: chunked\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", 405},
		{"more than net/http throws away by itself", post + "Content-Length: 1000000\r\n\r\n", strings.Repeat("x", 1_000_000), 405},
		{"of a GET", get + "Content-Length: 3\r\n\r\n", "abc", 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			connection, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = connection.Close() }()
			if err := connection.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
				t.Fatal(err)
			}
			answers := bufio.NewReader(connection)
			for _, step := range []struct {
				send   string
				status int
			}{{test.head, test.status}, {test.body + get + "\r\n", 200}} {
				if _, err := io.WriteString(connection, step.send); err != nil {
					t.Fatal(err)
				}
				response, err := http.ReadResponse(answers, nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, response.Body); err != nil {
					t.Fatal(err)
				}
				if response.StatusCode != step.status {
					t.Errorf("got %s, want %d", response.Status, step.status)
				}
			}
		})
	}
}

func TestExpectIsAnsweredWithoutAnInterimResponse(t *testing.T) {
	server := httptest.NewServer(newStack(t))
	defer server.Close()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	if err := connection.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	request := "POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
	if _, err := io.WriteString(connection, request); err != nil {
		t.Fatal(err)
	}
	everything, err := io.ReadAll(connection)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(everything), "HTTP/1.1 405 ") || strings.Count(string(everything), "HTTP/1.1") != 1 {
		t.Errorf("got %q", everything)
	}
}
