package api

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// usage is what the process has used so far. What the system does not tell is
// null, not zero.
type usage struct {
	PID               int    `json:"pid"`
	CPUUserMicros     int64  `json:"cpuUserMicros"`
	CPUSystemMicros   int64  `json:"cpuSystemMicros"`
	ResidentBytes     *int64 `json:"residentBytes"`
	PeakResidentBytes *int64 `json:"peakResidentBytes"`
	Threads           *int64 `json:"threads"`
}

func (a *API) stats(_ *http.Request, use *scratch) reply {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return a.defect(fmt.Errorf("getrusage: %w", err))
	}
	// Only Linux has it; elsewhere the memory and the threads stay unknown.
	status, _ := os.ReadFile("/proc/self/status")
	fields := procStatus(string(status))
	return a.encoded(use, http.StatusOK, usage{
		PID:               os.Getpid(),
		CPUUserMicros:     micros(used.Utime),
		CPUSystemMicros:   micros(used.Stime),
		ResidentBytes:     fields.number("VmRSS", 1024),
		PeakResidentBytes: fields.number("VmHWM", 1024),
		Threads:           fields.number("Threads", 1),
	})
}

func micros(time syscall.Timeval) int64 { return int64(time.Sec)*1_000_000 + int64(time.Usec) }

// procStatus is the text of /proc/self/status: "VmRSS:\t   1234 kB" and so on.
type procStatus string

// number is the value of a field in units of unit; nil where it is absent.
func (s procStatus) number(field string, unit int64) *int64 {
	for line := range strings.Lines(string(s)) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != field+":" {
			continue
		}
		value, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			return nil
		}
		value *= unit
		return &value
	}
	return nil
}
