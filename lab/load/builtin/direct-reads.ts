import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** One response of the lab's endpoints and its head fit in; longer ones take several reads. */
const bufferBytes = 16 * 1024;
const endOfHead = '\r\n\r\n';

/**
 * A connector for one undici client that takes what arrives past Node's streams: the kernel writes into the client's one buffer
 * (net's `onread`), undici parses it there and then. A stream would make a buffer, a queue entry and a later turn of each read, which
 * together cost about a fifth of a request of 20 bytes, and more of a longer one.
 *
 * So body bytes are valid only during the handler's call that brings them.
 *
 * @param isHeadRead whether the head of the response in progress has been handed to the handler
 */
export function connectWithDirectReads(isHeadRead: () => boolean, timeoutMs: number): buildConnector.connector {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  let socket: Socket | null = null;
  let arrived: Buffer | null = null;
  const isTaken = (): boolean => arrived === null;
  const connector = buildConnector({
    timeout: timeoutMs,
    onread: {
      buffer,
      callback: (length) => {
        const bytes = buffer.subarray(0, length);
        // undici keeps views of header names and values until the head is complete: the next read must not overwrite them.
        arrived = isHeadRead() || bytes.includes(endOfHead) ? bytes : Buffer.from(bytes);
        socket?.emit('readable');
        // Bytes that undici left would be overwritten by the next read: better a failed request than a wrong one.
        if (!isTaken()) socket?.destroy(new Error('what arrived was not read'));
        return true;
      },
    },
  });
  return (options, callback) => {
    connector(options, (...[error, connected]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      socket = connected;
      const readStream = connected.read.bind(connected);
      // What undici calls on 'readable'. A read of nothing starts the stream, and ends it after the last byte.
      connected.read = (size?: number): Buffer | null => {
        if (size === 0) return readStream(0) as null;
        const bytes = arrived;
        arrived = null;
        return bytes;
      };
      callback(null, connected);
    });
  };
}
