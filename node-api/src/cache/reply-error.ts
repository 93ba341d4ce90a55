/** An error that Redis itself answered with, such as WRONGTYPE or LOADING: it is there. */
export function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}
