package cgroup

import "testing"

func TestSmallestQuota(t *testing.T) {
	const v1, v2 = "4:memory:/docker/c\n3:cpu,cpuacct:/docker/c\n", "0::/user.slice/lab\n"
	for _, test := range []struct {
		name, cgroups string
		files         map[string]string
		want          float64 // 0: none
	}{
		{"no control groups", "", nil, 0},
		{"a line that is none", "nonsense\n7\n", nil, 0},
		{"version 2 without a quota", v2, map[string]string{"/sys/fs/cgroup/user.slice/lab/cpu.max": "max 100000\n"}, 0},
		{"version 2", v2, map[string]string{"/sys/fs/cgroup/user.slice/lab/cpu.max": "150000 100000\n"}, 1.5},
		{"version 2, less above", v2, map[string]string{
			"/sys/fs/cgroup/user.slice/lab/cpu.max": "150000 100000\n",
			"/sys/fs/cgroup/user.slice/cpu.max":     "50000 100000\n",
		}, 0.5},
		{"version 2, a container's own root", "0::/\n", map[string]string{"/sys/fs/cgroup/cpu.max": "20000 100000\n"}, 0.2},
		{"version 2 beside version 1", v2, map[string]string{"/sys/fs/cgroup/unified/user.slice/cpu.max": "10000 40000\n"}, 0.25},
		{"version 1 without a quota", v1, map[string]string{
			"/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
		}, 0},
		{"version 1, a container's own root", v1, map[string]string{
			"/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "200000\n", "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
		}, 2},
		{"version 1, mounted by its full name", v1, map[string]string{
			"/sys/fs/cgroup/cpu,cpuacct/docker/c/cpu.cfs_quota_us":  "50000\n",
			"/sys/fs/cgroup/cpu,cpuacct/docker/c/cpu.cfs_period_us": "100000\n",
		}, 0.5},
		{"version 1 without its period", v1, map[string]string{"/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "50000\n"}, 0},
		{"a period of nothing", v2, map[string]string{"/sys/fs/cgroup/cpu.max": "50000 0\n"}, 0},
	} {
		got := smallestQuota(test.cgroups, func(path string) string { return test.files[path] })
		switch {
		case got == nil && test.want != 0:
			t.Errorf("%s: none, want %v", test.name, test.want)
		case got != nil && *got != test.want:
			t.Errorf("%s: got %v, want %v", test.name, *got, test.want)
		}
	}
}
