import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Log } from '../events/log.ts';
import { DatabaseError } from '../products/database-error.ts';
import { problem, type Answer } from './answer.ts';
import type { Reply } from './reply.ts';
import { readTarget } from './target.ts';

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

/** The Express application: routing on the path as sent, and nothing that Express would add to an answer by itself. */
export function createApp({ routes, retryAfterSeconds, reply, log }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('strict routing');
  app.enable('case sensitive routing');

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

function answered(answer: Route['answer'], reply: Reply): RequestHandler {
  return (request, response, next) => {
    const result = answer(readTarget(request.originalUrl).query);
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
