package cache

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/redis/go-redis/v9"
)

// LogTo sends what the Redis client says about itself to logger, for
// debugging. It says the same of every failing dial, and each failure comes
// back as an error anyway, so these are not warnings.
func LogTo(logger *slog.Logger) { redis.SetLogger(clientLog{logger}) }

type clientLog struct{ logger *slog.Logger }

func (l clientLog) Printf(ctx context.Context, format string, arguments ...any) {
	if l.logger.Enabled(ctx, slog.LevelDebug) {
		l.logger.DebugContext(ctx, "redis-client", "message", fmt.Sprintf(format, arguments...))
	}
}
