import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Contract } from './contract/schema.ts';

/** What one process is told by its environment, checked. Times are in milliseconds. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly databasePoolSize: number;
  readonly redisPoolSize: number;
  readonly poolTimeoutMs: number;
  readonly queryTimeoutMs: number;
  readonly cacheTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly nonce: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A configuration that cannot work: one line for each variable that is wrong. */
export class BrokenConfig extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'BrokenConfig';
    this.problems = problems;
  }
}

const largestPool = 1000;
const longestMs = 600_000;

/**
 * Where the contract is: CONTRACT_DIR, else `contract` beside the stack's folder, else `contract` in the working folder
 * (a container image has no project around it).
 */
export function contractFolder(environment: Environment, stackFolder: string): string {
  const given = environment.CONTRACT_DIR;
  if (given !== undefined && given !== '') return given;
  const beside = resolve(stackFolder, '../contract');
  return existsSync(beside) ? beside : './contract';
}

/** The part of the contract that variables may override. */
export type Defaults = Pick<Contract, 'pools' | 'limits'>;

/**
 * Reads the environment.
 * @throws {BrokenConfig} that names every variable that is wrong, not just the first
 */
export function readConfig(environment: Environment, { pools, limits }: Defaults): Config {
  const reader = new Reader(environment);
  const config: Config = {
    host: reader.host('HOST', '127.0.0.1'),
    port: reader.port(),
    databaseUrl: reader.url('DATABASE_URL', databaseUrlForm, isDatabaseUrl),
    redisUrl: reader.url('REDIS_URL', redisUrlForm, isRedisUrl),
    databasePoolSize: reader.integer('DB_POOL_SIZE', pools.database, largestPool),
    redisPoolSize: reader.integer('REDIS_POOL_SIZE', pools.redis, largestPool),
    poolTimeoutMs: reader.integer('POOL_TIMEOUT_MS', limits.poolTimeoutMs, longestMs),
    queryTimeoutMs: reader.integer('QUERY_TIMEOUT_MS', limits.queryTimeoutMs, longestMs),
    cacheTimeoutMs: reader.integer('CACHE_TIMEOUT_MS', limits.cacheTimeoutMs, longestMs),
    shutdownTimeoutMs: reader.integer('SHUTDOWN_TIMEOUT_MS', limits.shutdownTimeoutMs, longestMs),
    keepAliveTimeoutMs: reader.integer('KEEP_ALIVE_TIMEOUT_MS', limits.keepAliveTimeoutMs, longestMs),
    nonce: environment.LOADLAB_NONCE ?? '',
  };
  if (reader.problems.length > 0) throw new BrokenConfig(reader.problems);
  return config;
}

/**
 * Reads where the process listens: all that asking a running one needs.
 * @throws {BrokenConfig} that says what PORT may be
 */
export function readPort(environment: Environment): number {
  const reader = new Reader(environment);
  const port = reader.port();
  if (reader.problems.length > 0) throw new BrokenConfig(reader.problems);
  return port;
}

const databaseUrlForm = 'postgres://user:password@host:port/database';
const redisUrlForm = 'redis://host:port[/db]';

function isDatabaseUrl(url: URL): boolean {
  const isPostgres = url.protocol === 'postgres:' || url.protocol === 'postgresql:';
  return isPostgres && url.hostname !== '' && url.username !== '' && /^\/[^/]+$/.test(url.pathname);
}

function isRedisUrl(url: URL): boolean {
  // A query string would be read as options of the driver.
  return url.protocol === 'redis:' && url.hostname !== '' && /^(\/\d{0,9})?$/.test(url.pathname) && url.search === '';
}

/** Reads one variable after the other and gathers what is wrong. */
class Reader {
  readonly problems: string[] = [];
  private readonly environment: Environment;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  integer(name: string, byDefault: number, highest: number): number {
    const text = this.text(name);
    if (text === undefined) return byDefault;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > highest) this.wrong(name, JSON.stringify(text), `a whole number, 1–${highest}`);
    return value;
  }

  port(): number {
    return this.integer('PORT', 8080, 65_535);
  }

  host(name: string, byDefault: string): string {
    const text = this.text(name) ?? byDefault;
    if (!/^[\w.:%-]+$/.test(text)) this.wrong(name, JSON.stringify(text), 'an address or a host name');
    return text;
  }

  /** The value itself is not printed: it holds a password. */
  url(name: string, form: string, isGood: (url: URL) => boolean): string {
    const text = this.text(name);
    if (text === undefined) this.wrong(name, 'missing', form);
    else if (!URL.canParse(text) || !isGood(new URL(text))) this.wrong(name, 'not such a URL', form);
    return text ?? '';
  }

  /** An empty variable counts as unset: that is how compose files pass on one that is not there. */
  private text(name: string): string | undefined {
    const value = this.environment[name];
    return value === '' ? undefined : value;
  }

  private wrong(name: string, what: string, allowed: string): void {
    this.problems.push(`${name}: ${what}; allowed: ${allowed}`);
  }
}
