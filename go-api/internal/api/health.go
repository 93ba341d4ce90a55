package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"loadlab/go-api/internal/contract"
)

// Identity is what /health says about the process, beside what it can measure.
type Identity struct {
	Stack            string
	Version          string
	Nonce            string
	DatabasePoolSize int
	RedisPoolSize    int
	// CPUQuota is in CPUs; nil: none.
	CPUQuota *float64
}

type health struct {
	Status             string        `json:"status"`
	Stack              string        `json:"stack"`
	Nonce              string        `json:"nonce"`
	Version            string        `json:"version"`
	PID                int           `json:"pid"`
	Runtime            runtimeHealth `json:"runtime"`
	Pools              poolsHealth   `json:"pools"`
	PreparedStatements bool          `json:"preparedStatements"`
	ContractVersion    int           `json:"contractVersion"`

	*readiness `json:",inline"`
}

type runtimeHealth struct {
	Name        string   `json:"name"`
	Version     string   `json:"version"`
	Parallelism int      `json:"parallelism"`
	CPUQuota    *float64 `json:"cpuQuota"`
}

type poolsHealth struct {
	Database int `json:"database"`
	Redis    int `json:"redis"`
}

type readiness struct {
	Ready       bool    `json:"ready"`
	Database    string  `json:"database"`
	Cache       string  `json:"cache"`
	SeedVersion *string `json:"seedVersion"`
}

func (a *API) health(request *http.Request, use *scratch) reply {
	state := health{
		Status:  "ok",
		Stack:   a.identity.Stack,
		Nonce:   a.identity.Nonce,
		Version: a.identity.Version,
		PID:     os.Getpid(),
		Runtime: runtimeHealth{
			Name:        "go",
			Version:     strings.TrimPrefix(runtime.Version(), "go"),
			Parallelism: runtime.GOMAXPROCS(0),
			CPUQuota:    a.identity.CPUQuota,
		},
		Pools:              poolsHealth{Database: a.identity.DatabasePoolSize, Redis: a.identity.RedisPoolSize},
		PreparedStatements: true, // pgx prepares and caches every statement
		ContractVersion:    contract.Version,
	}
	status := http.StatusOK
	if asked, _, _ := parameter(request.URL.RawQuery, "ready", 1); asked == "1" {
		state.readiness = a.ready(request.Context())
		if !state.Ready {
			status = http.StatusServiceUnavailable
		}
	}
	return a.encoded(use, status, state)
}

// ready asks the database and Redis at the same time, so that two that are
// away cost one time-out.
func (a *API) ready(ctx context.Context) *readiness {
	pinged := make(chan error, 1)
	go func() { pinged <- a.cache.Ping(ctx) }()
	version, databaseErr := a.store.SeedVersion(ctx)
	cacheErr := <-pinged
	if databaseErr == nil {
		databaseErr = a.judgeSeed(version)
	}
	return &readiness{
		Ready:       databaseErr == nil && cacheErr == nil,
		Database:    okOr(databaseErr),
		Cache:       okOr(cacheErr),
		SeedVersion: version,
	}
}

// judgeSeed tells a database that would answer with other rows, such as a
// volume that an older version of the lab has filled, here and in the log.
func (a *API) judgeSeed(version *string) error {
	if version != nil && *version == a.seedVersion {
		a.seed.Worked()
		return nil
	}
	wrong := errors.New("not seeded")
	if version != nil {
		wrong = fmt.Errorf("seed version %s instead of %s", *version, a.seedVersion)
	}
	a.seed.Failed(wrong)
	return wrong
}

func okOr(err error) string {
	if err == nil {
		return "ok"
	}
	return err.Error()
}

// encoded encodes what the stack says of itself. A server's message may be in
// any encoding, hence the leniency.
func (a *API) encoded(use *scratch, status int, value any) reply {
	use.body.Reset()
	if err := json.MarshalWrite(&use.body, value, jsontext.AllowInvalidUTF8(true)); err != nil {
		return a.defect(err)
	}
	return reply{status: status, body: use.body.Bytes()}
}
