// Package events writes one line of JSON for each thing worth knowing about
// the process: never one for each request.
package events

import (
	"io"
	"log"
	"log/slog"
	"strings"
)

// New returns a logger whose lines look like
// {"level":"info","event":"listening","url":"http://127.0.0.1:8080"}.
func New(out io.Writer) *slog.Logger {
	return slog.New(slog.NewJSONHandler(out, &slog.HandlerOptions{ReplaceAttr: rename}))
}

func rename(groups []string, attribute slog.Attr) slog.Attr {
	if len(groups) > 0 {
		return attribute
	}
	switch attribute.Key {
	case slog.TimeKey:
		return slog.Attr{} // whoever collects the lines knows the time
	case slog.LevelKey:
		return slog.String("level", strings.ToLower(attribute.Value.String()))
	case slog.MessageKey:
		return slog.Attr{Key: "event", Value: attribute.Value}
	default:
		return attribute
	}
}

// Adapt gives a library that wants a *log.Logger one whose messages become
// warnings named event.
func Adapt(logger *slog.Logger, event string) *log.Logger {
	return log.New(lines{logger, event}, "", 0)
}

type lines struct {
	logger *slog.Logger
	event  string
}

func (l lines) Write(text []byte) (int, error) {
	l.logger.Warn(l.event, "message", strings.TrimSpace(string(text)))
	return len(text), nil
}
