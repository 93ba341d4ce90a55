// Package cgroup reads what Linux's control groups allow this process.
package cgroup

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// CPUQuota is how many CPUs the control groups leave to this process (0.5: half
// of one), the smallest on the way up as far as it can be seen; nil without a
// quota, and where there are no control groups. GOMAXPROCS does not say: a
// quota below two still leaves two threads.
func CPUQuota() *float64 {
	text, _ := os.ReadFile("/proc/self/cgroup")
	return smallestQuota(string(text), func(path string) string {
		content, _ := os.ReadFile(path)
		return string(content)
	})
}

// controller is a place that may limit CPU: where the tree is mounted, and the
// path of this process in it.
type controller struct {
	mount, path string
	// read gives "quota period", in microseconds.
	read func(folder string, readFile func(string) string) string
}

func smallestQuota(cgroups string, readFile func(path string) string) *float64 {
	smallest := math.Inf(1)
	for _, c := range controllers(cgroups) {
		// In a container of version 1, and of version 2 with a namespace of its
		// own, the mount's root is the container's group, whatever the path says.
		for path := c.path; ; path = filepath.Dir(path) {
			if quota, ok := parseQuota(c.read(filepath.Join(c.mount, path), readFile)); ok {
				smallest = min(smallest, quota)
			}
			if path == "/" {
				break
			}
		}
	}
	if math.IsInf(smallest, 1) {
		return nil
	}
	return &smallest
}

// controllers reads /proc/<pid>/cgroup: "0::/path" is version 2,
// "1:cpu,cpuacct:/path" version 1.
func controllers(cgroups string) []controller {
	var found []controller
	for line := range strings.Lines(cgroups) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 || !strings.HasPrefix(fields[2], "/") {
			continue
		}
		names, path := fields[1], fields[2]
		switch {
		case names == "":
			found = append(found,
				controller{"/sys/fs/cgroup", path, readMax},
				controller{"/sys/fs/cgroup/unified", path, readMax})
		case hasCPU(names):
			found = append(found,
				controller{"/sys/fs/cgroup/cpu", path, readCFS},
				controller{"/sys/fs/cgroup/" + names, path, readCFS})
		}
	}
	return found
}

func hasCPU(names string) bool {
	for name := range strings.SplitSeq(names, ",") {
		if name == "cpu" {
			return true
		}
	}
	return false
}

func readMax(folder string, readFile func(string) string) string {
	return readFile(filepath.Join(folder, "cpu.max"))
}

func readCFS(folder string, readFile func(string) string) string {
	return readFile(filepath.Join(folder, "cpu.cfs_quota_us")) + " " +
		readFile(filepath.Join(folder, "cpu.cfs_period_us"))
}

// parseQuota takes "50000 100000" for 0.5; "max 100000" and version 1's -1 are
// no quota.
func parseQuota(text string) (float64, bool) {
	fields := strings.Fields(text)
	if len(fields) != 2 {
		return 0, false
	}
	quota, quotaErr := strconv.ParseUint(fields[0], 10, 63)
	period, periodErr := strconv.ParseUint(fields[1], 10, 63)
	if quotaErr != nil || periodErr != nil || period == 0 {
		return 0, false
	}
	return float64(quota) / float64(period), true
}
