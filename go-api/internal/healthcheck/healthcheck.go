// Package healthcheck asks a running stack whether it is ready. It is what a
// container's health check runs: an image made from scratch has no curl.
package healthcheck

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// Limit is how long an answer may take.
const Limit = 2 * time.Second

// longestBody bounds what is read of an answer, in bytes: a stranger may listen.
const longestBody = 1 << 16

// Ask asks the stack at base (http://host:port) and returns whether it is
// ready, and one line that says so or why not.
func Ask(ctx context.Context, base string) (line string, ready bool) {
	bounded, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	status, body, err := get(bounded, base+"/health?ready=1")
	switch {
	case bounded.Err() != nil:
		return fmt.Sprintf("not ready: %s did not answer within %s", base, Limit), false
	case err != nil:
		return "not ready: " + err.Error(), false
	case status == http.StatusOK:
		return "ready", true
	default:
		return "not ready: " + why(status, body), false
	}
}

func get(ctx context.Context, url string) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return 0, nil, err
	}
	// No proxy: the stack that is asked is this container's own.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, longestBody))
	return response.StatusCode, body, err
}

func why(status int, body []byte) string {
	var state struct {
		Database string `json:"database"`
		Cache    string `json:"cache"`
	}
	if err := json.Unmarshal(body, &state); err != nil || state.Database == "" {
		return fmt.Sprintf("status %d, with a body that is not a stack's", status)
	}
	var wrong []string
	if state.Database != "ok" {
		wrong = append(wrong, "database: "+state.Database+cure(state.Database))
	}
	if state.Cache != "ok" {
		wrong = append(wrong, "cache: "+state.Cache)
	}
	return strings.Join(strings.Fields(strings.Join(wrong, "; ")), " ")
}

// cure says what to do about another seed, or half of one: init scripts run on
// an empty volume only, so it stays.
func cure(database string) string {
	if strings.HasPrefix(database, "seed version") || database == "not seeded" {
		return " (`docker compose down --volumes` removes it)"
	}
	return ""
}
