package api

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

func TestHealth(t *testing.T) {
	const base = `^\{"status":"ok","stack":"go-api","nonce":"n","version":"0\.1\.0","pid":[1-9]\d*,` +
		`"runtime":\{"name":"go","version":"\d+\.\d[^"]*","parallelism":[1-9]\d*,"cpuQuota":null\},` +
		`"pools":\{"database":25,"redis":25\},"preparedStatements":true,"contractVersion":1`
	for _, test := range []struct {
		target string
		broken bool
		status int
		rest   string
	}{
		{"/health", true, 200, `\}$`},
		{"/health?ready=0", true, 200, `\}$`},
		{"/health?ready=1", false, 200, `,"ready":true,"database":"ok","cache":"ok","seedVersion":"1"\}$`},
		{"/health?ready=1", true, 503, `,"ready":false,"database":"gone","cache":"away","seedVersion":"1"\}$`},
	} {
		s := newStack(t)
		if test.broken {
			s.store.err, s.cache.getErr = errors.New("gone"), errors.New("away")
		}
		got := s.do("GET", test.target)
		if got.Code != test.status || !regexp.MustCompile(base+test.rest).Match(got.Body.Bytes()) {
			t.Errorf("%s: got %d %s", test.target, got.Code, got.Body)
		}
	}
}

func TestHealthJudgesTheSeed(t *testing.T) {
	old := "0"
	for _, test := range []struct {
		seed *string
		want string
	}{
		{nil, `,"ready":false,"database":"not seeded","cache":"ok","seedVersion":null}`},
		{&old, `,"ready":false,"database":"seed version 0 instead of 1","cache":"ok","seedVersion":"0"}`},
	} {
		s := newStack(t)
		s.store.seed = test.seed
		got := s.do("GET", "/health?ready=1")
		if got.Code != 503 || !strings.HasSuffix(got.Body.String(), test.want) {
			t.Errorf("got %d %s", got.Code, got.Body)
		}
		if s.do("GET", "/health?ready=1"); strings.Count(s.log.String(), `"event":"seed-down"`) != 1 {
			t.Errorf("logged %s", s.log)
		}
	}
}

func TestHealthTellsTheCPUQuota(t *testing.T) {
	half := 0.5
	s := newStack(t)
	s.identity.CPUQuota = &half
	if got := s.do("GET", "/health"); !strings.Contains(got.Body.String(), `,"cpuQuota":0.5}`) {
		t.Errorf("got %s", got.Body)
	}
}

func TestStats(t *testing.T) {
	got := newStack(t).do("GET", "/stats")
	want := regexp.MustCompile(`^\{"pid":\d+,"cpuUserMicros":\d+,"cpuSystemMicros":\d+,` +
		`"residentBytes":(\d+|null),"peakResidentBytes":(\d+|null),"threads":(\d+|null)\}$`)
	if got.Code != 200 || !want.Match(got.Body.Bytes()) {
		t.Errorf("got %d %s", got.Code, got.Body)
	}
}

func TestProcStatus(t *testing.T) {
	status := procStatus("Name:\tgo-api\nVmRSS:\t   1234 kB\nThreads:\t7\nVmHWM:\tsoon kB\n")
	if got := status.number("VmRSS", 1024); got == nil || *got != 1234*1024 {
		t.Errorf("VmRSS: %v", got)
	}
	if got := status.number("Threads", 1); got == nil || *got != 7 {
		t.Errorf("Threads: %v", got)
	}
	for _, field := range []string{"VmHWM", "VmSwap", "Name"} {
		if got := status.number(field, 1); got != nil {
			t.Errorf("%s: %d, want nothing", field, *got)
		}
	}
}
