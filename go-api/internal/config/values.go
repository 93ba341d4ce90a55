package config

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Digits alone: strconv.Atoi would take a sign as well, which other stacks
// would not.
var digits = regexp.MustCompile(`^[0-9]{1,9}$`)

// number reads a whole number from 1 to highest.
func (r *reader) number(name string, fallback, highest int) int {
	text := r.lookup(name)
	if text == "" {
		return fallback
	}
	value, err := strconv.Atoi(text)
	if err != nil || !digits.MatchString(text) {
		r.refuse(name, fmt.Sprintf("%q is not a whole number", text), fmt.Sprintf("1–%d", highest))
		return fallback
	}
	if value < 1 || value > highest {
		r.refuse(name, fmt.Sprintf("%d is out of range", value), fmt.Sprintf("1–%d", highest))
		return fallback
	}
	return value
}

const (
	databaseForm = "postgres://user:password@host:port/database"
	redisForm    = "redis://host:port[/db]"
)

func (r *reader) databaseURL(name string) string {
	text := r.lookup(name)
	if wrong := databaseProblem(text); wrong != "" {
		r.refuse(name, wrong, databaseForm)
	}
	return text
}

func (r *reader) redisURL(name string) string {
	text := r.lookup(name)
	if wrong := redisProblem(text); wrong != "" {
		r.refuse(name, wrong, redisForm)
	}
	return text
}

func databaseProblem(text string) string {
	parsed, wrong := parseURL(text, "postgres", "postgresql")
	switch {
	case wrong != "":
		return wrong
	case parsed.User.Username() == "":
		return "no user"
	case strings.Trim(parsed.Path, "/") == "":
		return "no database"
	default:
		return ""
	}
}

func redisProblem(text string) string {
	parsed, wrong := parseURL(text, "redis")
	if wrong != "" {
		return wrong
	}
	if parsed.RawQuery != "" {
		return "a query string, which is not read"
	}
	if database := strings.TrimPrefix(parsed.Path, "/"); database != "" && !digits.MatchString(database) {
		return fmt.Sprintf("%q is not the number of a database", database)
	}
	return ""
}

// parseURL never quotes the URL: it may hold a password.
func parseURL(text string, schemes ...string) (*url.URL, string) {
	if text == "" {
		return nil, "not set"
	}
	parsed, err := url.Parse(text)
	if err != nil {
		if detail, ok := errors.AsType[*url.Error](err); ok {
			return nil, "not a URL: " + detail.Err.Error()
		}
		return nil, "not a URL"
	}
	known := false
	for _, scheme := range schemes {
		known = known || parsed.Scheme == scheme
	}
	switch {
	case !known:
		return nil, fmt.Sprintf("scheme %q", parsed.Scheme)
	case parsed.Hostname() == "":
		return nil, "no host"
	case parsed.Port() != "" && !validPort(parsed.Port()):
		return nil, fmt.Sprintf("port %s is out of range", parsed.Port())
	default:
		return parsed, ""
	}
}

func validPort(text string) bool {
	port, err := strconv.Atoi(text)
	return err == nil && port >= 1 && port <= 65535
}
