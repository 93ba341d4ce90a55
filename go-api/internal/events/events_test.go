package events

import (
	"bytes"
	"errors"
	"testing"
	"time"
)

func TestLinesAreJSON(t *testing.T) {
	var out bytes.Buffer
	logger := New(&out)
	logger.Info("listening", "url", "http://127.0.0.1:8080")
	Adapt(logger, "http").Print("too many open files")
	want := `{"level":"info","event":"listening","url":"http://127.0.0.1:8080"}` + "\n" +
		`{"level":"warn","event":"http","message":"too many open files"}` + "\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestOutageSpeaksOfChangesOnly(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1, 0)
	outage := NewOutage(New(&out), "cache")
	outage.now = func() time.Time { return now }
	broken := errors.New("refused")

	outage.Worked()
	outage.Failed(broken)
	outage.Failed(broken)
	outage.Worked()
	outage.Worked()
	outage.Failed(broken) // within the same second: silent
	outage.Worked()
	now = now.Add(quiet)
	outage.Failed(broken)

	want := `{"level":"warn","event":"cache-down","error":"refused"}` + "\n" +
		`{"level":"info","event":"cache-up"}` + "\n" +
		`{"level":"warn","event":"cache-down","error":"refused"}` + "\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
