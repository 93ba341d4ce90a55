package api

import (
	"net/http"
	"strconv"
)

// reply is what a handler answers: written in one place, so that every
// response has the same headers.
type reply struct {
	status  int
	body    []byte
	length  []string // the Content-Length of a fixed body; nil: computed
	headers headers
}

// headers are the values beside Content-Type and Content-Length; nil: absent.
// net/http copies them, so they can be shared by all requests.
type headers struct{ xCache, allow, retryAfter, connection []string }

var (
	jsonType  = []string{"application/json; charset=utf-8"}
	cacheHit  = []string{"HIT"}
	cacheMiss = []string{"MISS"}
	closing   = []string{"close"}
)

func fixed(status int, body string, with headers) reply {
	return reply{status: status, body: []byte(body), length: []string{strconv.Itoa(len(body))}, headers: with}
}

func failure(status int, message string, with headers) reply {
	return fixed(status, `{"error":"`+message+`"}`, with)
}

var (
	notFound         = failure(http.StatusNotFound, "not found", headers{})
	methodNotAllowed = failure(http.StatusMethodNotAllowed, "method not allowed", headers{allow: []string{"GET, HEAD"}})
	getOnly          = failure(http.StatusMethodNotAllowed, "method not allowed", headers{allow: []string{"GET"}})
	refused          = failure(http.StatusBadRequest, "bad request", headers{connection: closing})
	defect           = failure(http.StatusInternalServerError, "internal error", headers{})
)

// write sends the reply. Content-Length is always set: net/http would
// otherwise send anything longer than its buffer in chunks.
func (r reply) write(w http.ResponseWriter, method string) error {
	header := w.Header()
	header["Content-Type"] = jsonType
	if r.length == nil {
		r.length = []string{strconv.Itoa(len(r.body))}
	}
	header["Content-Length"] = r.length
	r.headers.setOn(header)
	w.WriteHeader(r.status)
	if method == http.MethodHead {
		return nil
	}
	_, err := w.Write(r.body)
	return err
}

func (h headers) setOn(header http.Header) {
	if h.xCache != nil {
		header["X-Cache"] = h.xCache
	}
	if h.allow != nil {
		header["Allow"] = h.allow
	}
	if h.retryAfter != nil {
		header["Retry-After"] = h.retryAfter
	}
	if h.connection != nil {
		header["Connection"] = h.connection
	}
}
