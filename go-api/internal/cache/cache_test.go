package cache

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"loadlab/go-api/internal/testenv"
)

func open(t *testing.T, url string, timeout time.Duration) *Cache {
	t.Helper()
	opened, err := Open(Options{URL: url, PoolSize: 2, Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	})
	return opened
}

// ownKey is a key of this test alone, deleted when it ends.
func ownKey(t *testing.T, opened *Cache) string {
	key := fmt.Sprintf("loadlab:test:%d:%s", os.Getpid(), t.Name())
	t.Cleanup(func() {
		if err := opened.client.Del(context.Background(), key).Err(); err != nil {
			t.Error(err)
		}
	})
	return key
}

func TestGetAndSet(t *testing.T) {
	opened := open(t, testenv.Redis(t), time.Second)
	key := ownKey(t, opened)
	if _, err := opened.Get(t.Context(), key); !errors.Is(err, ErrMiss) {
		t.Fatalf("got %v", err)
	}
	want := "\x00 \xff \r\n 茶"
	if err := opened.Set(t.Context(), key, []byte(want), time.Minute); err != nil {
		t.Fatal(err)
	}
	if got, err := opened.Get(t.Context(), key); err != nil || string(got) != want {
		t.Errorf("got %q, %v", got, err)
	}
	ttl, err := opened.client.TTL(t.Context(), key).Result()
	if err != nil || ttl <= 50*time.Second || ttl > time.Minute {
		t.Errorf("TTL is %s, %v", ttl, err)
	}
}

func TestAnEntryOfAnotherTypeIsAMissAndReplaced(t *testing.T) {
	opened := open(t, testenv.Redis(t), time.Second)
	key := ownKey(t, opened)
	if err := opened.client.LPush(t.Context(), key, "a").Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := opened.Get(t.Context(), key); !errors.Is(err, ErrMiss) {
		t.Errorf("got %v", err)
	}
	if err := opened.Set(t.Context(), key, []byte("b"), time.Minute); err != nil {
		t.Error(err)
	}
}

func TestAClientThatLeavesStopsNothing(t *testing.T) {
	opened := open(t, testenv.Redis(t), time.Second)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if err := opened.Ping(ctx); err != nil {
		t.Error(err)
	}
}

func TestARedisThatDoesNotAnswerCostsOneTimeout(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0") // the kernel accepts; nobody reads
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mute.Close() }()
	opened := open(t, "redis://"+mute.Addr().String(), 100*time.Millisecond)
	for range 3 {
		began := time.Now()
		if _, err := opened.Get(t.Context(), "k"); !errors.Is(err, ErrAway) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(began); took > 500*time.Millisecond {
			t.Errorf("took %s", took)
		}
	}
}

func TestARedisThatIsAwayFailsFastAndComesBack(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	opened := open(t, "redis://"+address, time.Second)
	began := time.Now()
	for range 10 {
		if err := opened.Ping(t.Context()); !errors.Is(err, ErrAway) {
			t.Fatalf("got %v", err)
		}
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("ten refusals took %s", took)
	}
	answerPings(t, address)
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if err := opened.Ping(t.Context()); err == nil {
			return
		}
		if time.Since(began) > 2*time.Second {
			t.Fatal("not back within two seconds")
		}
	}
}

// answerPings is as much of a Redis as PING needs: it refuses HELLO, as old
// servers do.
func answerPings(t *testing.T, address string) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go answerPing(connection)
		}
	}()
}

func answerPing(connection net.Conn) {
	defer func() { _ = connection.Close() }()
	request := make([]byte, 4096)
	for {
		count, err := connection.Read(request)
		if err != nil {
			return
		}
		reply := "-ERR unknown command\r\n"
		if string(request[:count]) == "*1\r\n$4\r\nping\r\n" {
			reply = "+PONG\r\n"
		}
		if _, err := connection.Write([]byte(reply)); err != nil {
			return
		}
	}
}

func TestErrorRepliesAreNotOutages(t *testing.T) {
	if err := classify("GET", redis.ErrPoolTimeout); !errors.Is(err, ErrAway) {
		t.Errorf("a pool time-out: %v", err)
	}
	opened := open(t, testenv.Redis(t), time.Second)
	err := opened.client.Do(t.Context(), "NOSUCHCOMMAND").Err()
	if err = classify("DO", err); errors.Is(err, ErrAway) {
		t.Errorf("an error reply: %v", err)
	}
}
