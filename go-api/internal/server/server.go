// Package server runs an http.Server until it is told to stop, and says how
// that went.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"loadlab/go-api/internal/events"
)

// headerTimeout is how long a client may take to send a request's header, the
// same as Node's default.
const headerTimeout = time.Minute

// Options say where to listen and what to allow.
type Options struct {
	Host             string
	Port             int
	Handler          http.Handler
	Logger           *slog.Logger
	MaxHeaderBytes   int
	KeepAliveTimeout time.Duration
	ShutdownTimeout  time.Duration
	// Draining becomes true when the server stops. The handler shares it: what
	// it answers from then on must tell the client that the connection ends.
	Draining *atomic.Bool
}

// ErrCut says that requests were still running when the shutdown's time was up.
var ErrCut = errors.New("requests were cut off")

// Server listens from Listen on.
type Server struct {
	listener        net.Listener
	conns           *conns
	http            *http.Server
	shutdownTimeout time.Duration
}

// Listen opens the port. Its error is for the operator: a port in use.
func Listen(options Options) (*Server, error) {
	address := net.JoinHostPort(options.Host, strconv.Itoa(options.Port))
	opened, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	connections := newConns(options.Draining)
	return &Server{
		listener: listener{opened, connections},
		conns:    connections,
		http: &http.Server{
			Handler: noting(options.Handler),
			// OPTIONS * is a request like any other.
			DisableGeneralOptionsHandler: true,
			MaxHeaderBytes:               headerLimit(options.MaxHeaderBytes),
			ReadHeaderTimeout:            headerTimeout,
			IdleTimeout:                  options.KeepAliveTimeout,
			ErrorLog:                     events.Adapt(options.Logger, "http"),
			ConnState:                    connections.idle,
			ConnContext:                  remember,
		},
		shutdownTimeout: options.ShutdownTimeout,
	}, nil
}

// headerLimit makes net/http refuse at bytes: it allows 4096 more than it is
// told, and takes 0 for its own default.
func headerLimit(bytes int) int {
	const slop = 4096
	return max(1, bytes-slop)
}

// URL is where the server listens.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Serve answers requests until ctx ends, then finishes those in flight. It
// returns ErrCut where that took longer than allowed.
func (s *Server) Serve(ctx context.Context) error {
	served := make(chan error, 1)
	go func() { served <- s.http.Serve(s.listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	timeout := time.NewTimer(s.shutdownTimeout)
	defer timeout.Stop()
	if err := s.listener.Close(); err != nil {
		return errors.Join(fmt.Errorf("stop listening: %w", err), s.http.Close())
	}
	// Once Serve has returned, nothing is accepted any more.
	if err := <-served; !errors.Is(err, net.ErrClosed) {
		return errors.Join(fmt.Errorf("serve: %w", err), s.http.Close())
	}
	gone := s.conns.drain()
	select {
	case <-gone:
		return nil
	case <-timeout.C:
		return errors.Join(ErrCut, s.http.Close())
	}
}
