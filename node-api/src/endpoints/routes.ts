import type { Cache } from '../cache/cache.ts';
import type { Config } from '../config.ts';
import { BrokenContract, type LoadedContract } from '../contract/read.ts';
import type { Endpoint } from '../contract/schema.ts';
import type { Log } from '../events/log.ts';
import type { Route } from '../http/app.ts';
import type { Statement, Store } from '../products/store.ts';
import { health } from './health.ts';
import { hello } from './hello.ts';
import { products } from './products.ts';
import { productsWhereLike } from './products-where-like.ts';
import { productsWithCache } from './products-with-cache.ts';
import { stats } from './stats.ts';

/** What the endpoints work with. */
export interface Parts {
  readonly config: Config;
  readonly loaded: LoadedContract;
  readonly log: Log;
  readonly version: string;
  readonly store: Store;
  readonly cache: Cache;
}

type Answering = Route['answer'];

/** What makes an endpoint's answers, by its id in the contract: a new endpoint is a new line. */
const endpoints: Readonly<Record<string, (parts: Parts, endpoint: Described) => Answering>> = {
  hello: () => hello,
  products: ({ store }, it) => products(store, it.statement()),
  'products-where-like': ({ store }, it) => productsWhereLike(store, it.statement(), it.search()),
  'products-with-cache': ({ store, cache }, it) => productsWithCache(store, it.statement(), cache, it.entry()),
};

/**
 * The routes of the contract's endpoints that this stack has, and its own two.
 * @throws {BrokenContract} where an endpoint lacks what its answers are made from
 */
export function createRoutes(parts: Parts): Route[] {
  const { loaded, store, cache, log } = parts;
  const contracted = loaded.contract.endpoints.flatMap((endpoint, index): Route[] => {
    const make = endpoints[endpoint.id];
    if (make === undefined) {
      log.warn('endpoint-not-implemented', { id: endpoint.id });
      return [];
    }
    const answer = make(parts, new Described(endpoint, `$.endpoints[${index}]`, loaded.sql));
    return [{ path: endpoint.path, methods: ['GET', 'HEAD'], answer }];
  });
  return [
    ...contracted,
    { path: '/health', methods: ['GET'], answer: health(parts, log, store, cache) },
    { path: '/stats', methods: ['GET'], answer: stats },
  ];
}

/** An endpoint of the contract, asked for what its handler cannot do without. */
class Described {
  private readonly endpoint: Endpoint;
  private readonly path: string;
  private readonly sql: ReadonlyMap<string, string>;

  constructor(endpoint: Endpoint, path: string, sql: ReadonlyMap<string, string>) {
    this.endpoint = endpoint;
    this.path = path;
    this.sql = sql;
  }

  statement(): Statement {
    const { file } = this.endpoint.query ?? this.missing('query');
    return { name: file, text: this.sql.get(file) ?? this.missing('query.file') };
  }

  search() {
    return this.endpoint.query?.search ?? this.missing('query.search');
  }

  entry() {
    return this.endpoint.cache ?? this.missing('cache');
  }

  private missing(field: string): never {
    throw new BrokenContract([
      `contract.json: ${this.path}.${field}: missing; the endpoint ${this.endpoint.id} needs it`,
    ]);
  }
}
