import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';

/** Sends an answer. */
export type Reply = (response: ServerResponse, answer: Answer) => void;

/**
 * Makes the function that sends answers. While `isClosing` says so, each answer tells its client that the connection
 * ends with it.
 */
export function createReply(isClosing: () => boolean): Reply {
  return (response, { status, body, headers = [] }) => {
    // An array goes to the wire as it stands; the length of a body is computed once.
    const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body))];
    head.push(...headers);
    if (isClosing()) head.push('Connection', 'close');
    response.writeHead(status, head);
    response.end(body);
  };
}

/** Answers what no stack serves, and closes. */
export function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, ['Content-Length', '0', 'Connection', 'close']);
  response.end();
}
