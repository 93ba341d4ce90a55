package main

import (
	"context"
	"fmt"
	"io"

	"loadlab/go-api/internal/config"
	"loadlab/go-api/internal/healthcheck"
)

// subcommand runs what is asked for beside serving: `healthcheck` asks the
// process that listens on PORT here whether it is ready. It reads no contract,
// and returns the exit code.
func subcommand(arguments []string, lookup config.Lookup, out, errors io.Writer) int {
	if len(arguments) != 1 || arguments[0] != "healthcheck" {
		_, _ = fmt.Fprintf(errors, "unknown arguments %q; allowed: none, to serve, or healthcheck\n", arguments)
		return exitMisconfigured
	}
	port, err := config.Port(lookup)
	if err != nil {
		_, _ = fmt.Fprintln(errors, err)
		return exitMisconfigured
	}
	line, ready := healthcheck.Ask(context.Background(), fmt.Sprintf("http://127.0.0.1:%d", port))
	_, _ = fmt.Fprintln(out, line)
	if !ready {
		return exitFailed
	}
	return exitOK
}
