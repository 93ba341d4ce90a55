package server

import (
	"strings"
	"testing"
	"time"
)

const get = "GET /hello HTTP/1.1\r\nHost: x\r\n"

func TestWhatTheParserRefusesIs400AndCloses(t *testing.T) {
	server := start(t, hello, time.Second)
	for name, request := range map[string]string{
		"no host":               "GET /hello HTTP/1.1\r\n\r\n",
		"a broken escape":       "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
		"a cut escape":          "GET /hello% HTTP/1.1\r\nHost: x\r\n\r\n",
		"an escape in a host":   "GET http://x/%zz HTTP/1.1\r\nHost: x\r\n\r\n",
		"no version":            "GET /hello\r\n\r\n",
		"version 2":             "GET /hello HTTP/2.0\r\nHost: x\r\n\r\n",
		"version 0.9":           "GET /hello HTTP/0.9\r\nHost: x\r\n\r\n",
		"a header with no name": get + "novalue\r\n\r\n",
		"a broken length":       get + "Content-Length: x\r\n\r\n",
		"an unknown coding":     get + "Transfer-Encoding: foo\r\n\r\n",
		"TLS":                   "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			client := server.connect(t)
			client.send(request)
			if got := client.answer(); got.StatusCode != 400 {
				t.Errorf("got %s", got.Status)
			}
			if !client.isClosed() {
				t.Error("the connection stays open")
			}
		})
	}
}

func TestHeadersAboveTheLimitAre431AndClose(t *testing.T) {
	server := start(t, hello, time.Second)
	for size, status := range map[int]int{15_000: 200, 16_384 - len(get) - len("A: \r\n\r\n"): 200, 16_500: 431, 20_000: 431} {
		client := server.connect(t)
		client.send(get + "A: " + strings.Repeat("x", size) + "\r\n\r\n")
		if got := client.answer(); got.StatusCode != status {
			t.Errorf("%d bytes: got %s, want %d", size, got.Status, status)
		}
		if status == 431 && !client.isClosed() {
			t.Errorf("%d bytes: the connection stays open", size)
		}
	}
}

func TestPipelinedRequestsAreAnsweredInTurn(t *testing.T) {
	client := start(t, hello, time.Second).connect(t)
	client.send(strings.Repeat(get+"\r\n", 3))
	for range 3 {
		if got := client.answer(); got.StatusCode != 200 {
			t.Errorf("got %s", got.Status)
		}
	}
}
