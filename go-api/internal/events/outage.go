package events

import (
	"log/slog"
	"sync/atomic"
	"time"
)

// quiet is the least time between two lines about the same dependency: one
// that flaps under load must not write a line for each request.
const quiet = time.Second

// Outage tells when something that the process depends on fails and when it
// works again. The zero value is not usable: see NewOutage.
type Outage struct {
	logger *slog.Logger
	name   string
	now    func() time.Time
	down   atomic.Bool
	spoke  atomic.Int64 // Unix nanoseconds of the last line
}

// NewOutage watches the dependency called name; its events are <name>-down and
// <name>-up.
func NewOutage(logger *slog.Logger, name string) *Outage {
	return &Outage{logger: logger, name: name, now: time.Now}
}

// Failed notes a failure. It writes at most one line a second, and none while
// the dependency stays down.
func (o *Outage) Failed(err error) {
	if o.down.Load() || !o.maySpeak() {
		return
	}
	if o.down.CompareAndSwap(false, true) {
		o.logger.Warn(o.name+"-down", "error", err.Error())
	}
}

// Worked notes a success: one atomic load unless the dependency was down.
func (o *Outage) Worked() {
	if o.down.Load() && o.down.CompareAndSwap(true, false) {
		o.spoke.Store(o.now().UnixNano())
		o.logger.Info(o.name + "-up")
	}
}

func (o *Outage) maySpeak() bool {
	now, last := o.now().UnixNano(), o.spoke.Load()
	return (last == 0 || now-last >= int64(quiet)) && o.spoke.CompareAndSwap(last, now)
}
