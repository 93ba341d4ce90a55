package api

import "net/http"

// knownMethod holds for the methods of RFC 9110 without CONNECT, and for
// PATCH. The parsers differ in what they take (Go's takes any token, Node's a
// list of its own), so the contract names the methods.
func knownMethod(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions, http.MethodTrace:
		return true
	default:
		return false
	}
}
