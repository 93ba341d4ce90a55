package api

import "strings"

// known holds the methods that Node's HTTP parser takes (http.METHODS of Node
// 20, without CONNECT, which asks for a tunnel). Go's parser takes any token;
// what the other stack's parser refuses is refused here.
var known = methodSet(`
	ACL BIND CHECKOUT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY
	MKCALENDAR MKCOL MOVE NOTIFY OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT
	QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK
	UNSUBSCRIBE`)

func methodSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}
