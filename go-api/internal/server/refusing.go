package server

import "net"

// refusingListener makes net/http's parser refuse as Node's does. For an
// unknown HTTP version and an unknown transfer coding it answers 505 and 501
// by itself, before any handler; the contract says 400 for whatever a parser
// refuses.
type refusingListener struct{ net.Listener }

func (l refusingListener) Accept() (net.Conn, error) {
	connection, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := connection.(*net.TCPConn); ok {
		return refusingConn{tcp}, nil
	}
	return connection, nil
}

// refusingConn embeds the TCP connection itself: net/http asks for more of its
// methods than net.Conn has.
type refusingConn struct{ *net.TCPConn }

const badRequest = "HTTP/1.1 400 Bad Request\r\n" +
	"Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request"

// Write sends 400 in place of net/http's own 501 and 505, each of which is one
// write. No handler answers with either.
func (c refusingConn) Write(response []byte) (int, error) {
	if !refusal(response) {
		return c.TCPConn.Write(response)
	}
	if _, err := c.TCPConn.Write([]byte(badRequest)); err != nil {
		return 0, err
	}
	return len(response), nil
}

func refusal(response []byte) bool {
	const prefix = "HTTP/1.1 50"
	if len(response) <= len(prefix) || string(response[:len(prefix)]) != prefix {
		return false
	}
	digit := response[len(prefix)]
	return digit == '1' || digit == '5'
}
