import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { Log } from '../events/log.ts';
import { DatabaseError } from '../products/database-error.ts';
import { problem, type Answer } from './answer.ts';
import { refuse, type Reply } from './reply.ts';
import { hasBrokenEscape, readTarget } from './target.ts';

/** A path and what answers its requests. */
export interface Route {
  readonly path: string;
  readonly methods: readonly ('GET' | 'HEAD')[];
  /** Gets the raw query string. What it throws becomes a 503 (DatabaseError) or a 500. */
  readonly answer: (query: string) => Answer | Promise<Answer>;
}

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly retryAfterSeconds: number;
  readonly reply: Reply;
  readonly log: Log;
}

/** The methods of RFC 9110 without CONNECT, and PATCH. Node's parser knows many more; the other stacks do not. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** The Express application: routing on the path as sent, and nothing that Express would add to an answer by itself. */
export function createApp({ routes, retryAfterSeconds, reply, log }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('strict routing');
  app.enable('case sensitive routing');

  app.use(plainTarget);
  for (const { path, methods, answer } of routes) {
    const refusal = problem(405, 'method not allowed', ['Allow', methods.join(', ')]);
    const refused: RequestHandler = (_request, response) => {
      reply(response, refusal);
    };
    const route = app.route(path);
    // Express takes a handler of GET for HEAD too.
    if (!methods.includes('HEAD')) route.head(refused);
    route.get(answered(answer, reply)).all(refused);
  }
  const notFound = problem(404, 'not found');
  app.use((_request, response) => {
    reply(response, notFound);
  });
  app.use(failed(retryAfterSeconds, reply, log));
  return app;
}

/**
 * Leaves Express a path that it cannot read in a second way: it would look for a host in an absolute target, and trim
 * a no-break space. The query string stays in `originalUrl`.
 */
const plainTarget: RequestHandler = (request, response, next) => {
  const { path } = readTarget(request.url);
  if (!knownMethods.has(request.method) || hasBrokenEscape(path)) {
    refuse(response);
    return;
  }
  request.url = path === '' ? '/' : path.replace(/[^!"$-~]/g, encodeURIComponent);
  next();
};

function answered(answer: Route['answer'], reply: Reply): RequestHandler {
  return (request, response, next) => {
    const result = answer(queryOf(request));
    if (result instanceof Promise) {
      result
        .then((late) => {
          reply(response, late);
        })
        .catch(next);
    } else {
      reply(response, result);
    }
  };
}

function queryOf(request: Request): string {
  return readTarget(request.originalUrl).query;
}

function failed(retryAfterSeconds: number, reply: Reply, log: Log): ErrorRequestHandler {
  const retryLater = ['Retry-After', String(retryAfterSeconds)];
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(error); // too late for an answer: Express logs it and cuts the connection
      return;
    }
    if (error instanceof DatabaseError) {
      reply(response, problem(503, error.message, retryLater));
      return;
    }
    log.error('defect', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    reply(response, problem(500, 'internal error'));
  };
}
