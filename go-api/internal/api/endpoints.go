package api

import (
	"fmt"
	"net/http"

	"loadlab/go-api/internal/contract"
)

// handler answers one endpoint's GET and HEAD. It may use the scratch until
// its reply is written.
type handler func(request *http.Request, use *scratch) reply

// builders make the handlers, by the id of the endpoint in the contract. A new
// endpoint is a new file and one line here.
var builders = map[string]func(*API, contract.Endpoint) (handler, error){
	"hello":               buildHello,
	"products":            buildProducts,
	"products-where-like": buildSearch,
	"products-with-cache": buildCached,
}

// handlersOf maps the paths of the contract to handlers. Endpoints that this
// stack does not have are left out and returned by id.
func handlersOf(api *API, endpoints []contract.Endpoint) (map[string]handler, []string, error) {
	handlers, absent := map[string]handler{}, []string{}
	for _, endpoint := range endpoints {
		build, has := builders[endpoint.ID]
		if !has {
			absent = append(absent, endpoint.ID)
			continue
		}
		built, err := build(api, endpoint)
		if err != nil {
			return nil, nil, err
		}
		handlers[endpoint.Path] = built
	}
	return handlers, absent, nil
}

// require says which part of an endpoint the contract lacks.
func require(present bool, endpoint contract.Endpoint, part string) error {
	if present {
		return nil
	}
	return fmt.Errorf("%s: %s.%s: missing; endpoint %q needs it", contract.FileName, endpoint.At, part, endpoint.ID)
}
