package api

import "strings"

// pathOf is the path of a request target, as sent and not decoded: net/http
// has parsed the target already, but decoded its path, and /%68ello is not
// /hello. ok is false for what net/http lets pass and the contract does not: a
// raw byte above 0x7E, and what is neither a path, nor *, nor in absolute form
// (http:hello).
func pathOf(target string) (path string, ok bool) {
	for i := range len(target) {
		if target[i] > 0x7E {
			return "", false
		}
	}
	path, _, _ = strings.Cut(target, "?")
	if strings.HasPrefix(path, "/") || path == "*" {
		return path, true
	}
	_, rest, absolute := strings.Cut(path, "://")
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		return rest[slash:], absolute
	}
	return "", absolute
}
