import { hostname, networkInterfaces } from 'node:os';
import type { Contract } from '../../model/contract.ts';
import { LabError } from '../../model/errors.ts';
import type { Study } from '../../model/study.ts';
import { withoutPasswords } from '../../model/without-passwords.ts';

/** What a user says of servers that run already. */
export interface RemoteOptions {
  /** Each `variant=url`. */
  readonly baseUrls: readonly string[];
  readonly databaseUrl?: string | undefined;
  readonly redisUrl?: string | undefined;
  /** Whether generator and servers share one machine; undefined: as the base URLs look. */
  readonly sameHost?: boolean | undefined;
}

/** The same, understood and found to fit the study. */
export interface RemoteTarget {
  /** By variant: http://host:port, without a trailing slash. */
  readonly baseUrls: Readonly<Record<string, string>>;
  /** null: PostgreSQL is not asked; then work and seed are the APIs' own word. */
  readonly databaseUrl: string | null;
  /** null: Redis is not asked; no endpoint of the study has a cache. */
  readonly redisUrl: string | null;
  readonly sameHost: boolean;
}

const baseUrlHint = 'Give --base-url VARIANT=http://HOST:PORT for each variant, or LOADLAB_BASE_URLS=go=…,node=….';

/** @throws LabError BAD_ARGUMENT, in one line without any password, for what is missing, unknown or no URL of its kind. */
export function remoteTarget(options: RemoteOptions, study: Study, contract: Contract): RemoteTarget {
  const baseUrls = baseUrlsOf(
    options.baseUrls,
    study.variants.map(({ id }) => id),
  );
  const target: RemoteTarget = {
    baseUrls,
    databaseUrl: serverUrl('--database-url', options.databaseUrl, ['postgres:', 'postgresql:']),
    redisUrl: serverUrl('--redis-url', options.redisUrl, ['redis:']),
    sameHost: options.sameHost ?? Object.values(baseUrls).some((url) => isOwnAddress(hostOf(url))),
  };
  if (target.redisUrl === null) refuseCached(study, contract);
  return target;
}

/** Name or address in a URL; that of an IPv6 address without its brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

function baseUrlsOf(pairs: readonly string[], variants: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const pair of pairs) {
    const [, variant, text] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    if (variant === undefined || text === undefined) {
      throw refused(`--base-url ${withoutPasswords(pair)} is no VARIANT=URL`, baseUrlHint);
    }
    if (!variants.includes(variant)) {
      throw refused(`--base-url: the study has no variant "${variant}"`, `Its variants: ${variants.join(', ')}.`);
    }
    if (variant in found) throw refused(`--base-url: variant ${variant} is named twice`, 'Name it once.');
    const url = baseUrl(variant, text);
    const other = Object.entries(found).find(([, known]) => known === url)?.[0];
    if (other !== undefined) {
      throw refused(`${url} is given for ${other} and for ${variant}`, 'Each variant needs a process of its own.');
    }
    found[variant] = url;
  }
  const missing = variants.filter((variant) => !(variant in found));
  if (missing.length > 0) throw refused(`no base URL is given for ${missing.join(', ')}`, baseUrlHint);
  return found;
}

function baseUrl(variant: string, text: string): string {
  const url = parsed(text);
  const isBare = url?.protocol === 'http:' && url.pathname === '/' && url.search === '' && url.hash === '';
  if (isBare && url.username === '' && url.password === '') return url.origin;
  throw refused(
    `--base-url ${variant}=${withoutPasswords(text)} is no plain http URL`,
    'Give http://HOST:PORT, without a path, a user or a query: TLS and proxies would be measured, too.',
  );
}

/** A server's URL as the contract has it: user, password, host, port, and one name at most. */
function serverUrl(option: string, text: string | undefined, protocols: readonly string[]): string | null {
  if (text === undefined) return null;
  const url = parsed(text);
  const isRight = url !== null && protocols.includes(url.protocol) && url.hostname !== '' && url.search === '';
  if (isRight && !url.pathname.slice(1).includes('/') && isDecodable(text)) return text;
  const form =
    option === '--redis-url' ? 'redis://[USER:PASSWORD@]HOST:PORT[/DB]' : 'postgres://USER:PASSWORD@HOST:PORT/DATABASE';
  throw refused(`${option} ${withoutPasswords(text)} is not of the form ${form}`, 'Compare it with that.');
}

/** A cache that nobody can empty would make one stack serve what another stored. */
function refuseCached(study: Study, contract: Contract): void {
  const cached = contract.endpoints.filter(({ id, cache }) => cache !== undefined && study.endpoints.includes(id));
  if (cached.length === 0) return;
  const others = study.endpoints.filter((id) => !cached.some((endpoint) => endpoint.id === id));
  const without = others.length === 0 ? 'other endpoints' : others.join(',');
  throw refused(
    `${cached.map(({ id }) => id).join(', ')}: its cache must be emptied before each run, and no --redis-url is given`,
    `Give --redis-url redis://HOST:PORT, or leave it out: --endpoints ${without}.`,
  );
}

/** Whether an address or name is this machine's own. Another name may be anybody's. */
function isOwnAddress(host: string): boolean {
  if (
    host === 'localhost' ||
    host.toLowerCase() === hostname().toLowerCase() ||
    host === '::1' ||
    /^127(\.\d+){3}$/.test(host)
  )
    return true;
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === host));
}

/** `%zz` is in no encoding; the drivers decode user, password and database. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function refused(message: string, hint: string): LabError {
  return new LabError('BAD_ARGUMENT', message, hint);
}
