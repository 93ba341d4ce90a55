// Package api answers HTTP requests as docs/api.md says, to the byte.
package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"loadlab/go-api/internal/contract"
	"loadlab/go-api/internal/events"
	"loadlab/go-api/internal/product"
)

// Store is what the API asks the database for.
type Store interface {
	Products(ctx context.Context, into []product.Product, statement string, arguments ...any) ([]product.Product, error)
	SeedVersion(ctx context.Context) (*string, error)
}

// Cache is what the API asks Redis for.
type Cache interface {
	Get(ctx context.Context, key string) ([]byte, error)
	Set(ctx context.Context, key string, value []byte, ttl time.Duration) error
	Ping(ctx context.Context) error
}

// Options are what an API is made of.
type Options struct {
	Contract *contract.Contract
	Store    Store
	Cache    Cache
	Logger   *slog.Logger
	Identity Identity
	// Draining says that the process stops: answers then end their connection.
	Draining *atomic.Bool
}

// API is the http.Handler of the stack.
type API struct {
	store    Store
	cache    Cache
	logger   *slog.Logger
	database *events.Outage
	redis    *events.Outage
	identity Identity
	draining *atomic.Bool

	seedVersion       string
	seed              *events.Outage
	handlers          map[string]handler
	own               map[string]handler // outside the contract, GET only
	busy, unavailable reply
}

// New builds the handlers. Its error is a defect of the contract.
func New(options Options) (*API, error) {
	retry := headers{retryAfter: []string{strconv.Itoa(options.Contract.Limits.RetryAfterSeconds)}}
	api := &API{
		store:       options.Store,
		cache:       options.Cache,
		logger:      options.Logger,
		database:    events.NewOutage(options.Logger, "database"),
		redis:       events.NewOutage(options.Logger, "cache"),
		identity:    options.Identity,
		draining:    options.Draining,
		seedVersion: options.Contract.Seed.Version,
		seed:        events.NewOutage(options.Logger, "seed"),
		busy:        failure(http.StatusServiceUnavailable, "database busy", retry),
		unavailable: failure(http.StatusServiceUnavailable, "database unavailable", retry),
	}
	handlers, absent, err := handlersOf(api, options.Contract.Endpoints)
	if err != nil {
		return nil, err
	}
	if len(absent) > 0 {
		api.logger.Warn("endpoints-not-implemented", "ids", absent)
	}
	api.handlers = handlers
	api.own = map[string]handler{"/health": api.health, "/stats": api.stats}
	return api, nil
}

// ServeHTTP answers one request. A panic is answered with 500 and logged: it
// ends neither the process nor the connection.
func (a *API) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	use := scratches.Get().(*scratch)
	defer use.release()
	answer := a.answer(request, use)
	if a.draining.Load() {
		answer.headers.connection = closing
	}
	if request.ContentLength == 0 {
		// An error here means that the client is gone: nobody to tell.
		_ = answer.write(w, request.Method)
		return
	}
	a.writeBesideBody(w, request, answer)
}

func (a *API) answer(request *http.Request, use *scratch) (answer reply) {
	defer func() {
		if cause := recover(); cause != nil {
			a.logger.Error("defect", "error", fmt.Sprint(cause), "stack", string(debug.Stack()))
			answer = defect
		}
	}()
	// HTTP/1.2 and later exist in no specification; Node's parser refuses them.
	if !knownMethod(request.Method) || request.ProtoMinor > 1 {
		return refused
	}
	path, ok := pathOf(request.RequestURI)
	if !ok {
		return refused
	}
	reading := request.Method == http.MethodGet || request.Method == http.MethodHead
	if handle, has := a.handlers[path]; has {
		if !reading {
			return methodNotAllowed
		}
		return handle(request, use)
	}
	if handle, has := a.own[path]; has {
		if request.Method != http.MethodGet {
			return getOnly
		}
		return handle(request, use)
	}
	return notFound
}

func (a *API) defect(err error) reply {
	a.logger.Error("defect", "error", err.Error())
	return defect
}
