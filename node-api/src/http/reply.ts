import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';

/** Sends an answer. */
export type Reply = (response: ServerResponse, answer: Answer) => void;

/**
 * Makes the function that sends answers. While `isClosing` says so, each answer tells its client that the connection
 * ends with it.
 */
export function createReply(isClosing: () => boolean): Reply {
  return (response, { status, body, head }) => {
    // Names and values in turn go to the wire as they stand. Node's types ask for an array that may change; it only reads.
    response.writeHead(status, isClosing() ? [...head, 'Connection', 'close'] : (head as string[]));
    response.end(body);
  };
}

/** Answers what no stack serves, and closes. */
export function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, ['Content-Length', '0', 'Connection', 'close']);
  response.end();
}
