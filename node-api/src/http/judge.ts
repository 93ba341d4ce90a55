import type { IncomingMessage } from 'node:http';
import { hasBrokenEscape, originForm, readTarget } from './target.ts';

/** The part of a request that says whether it can be served at all. */
export type Head = Pick<IncomingMessage, 'method' | 'url' | 'httpVersionMajor' | 'rawHeaders'>;

/** A head that nothing speaks against, with its target in origin form; or the status that it is refused with. */
export type Judgement = { readonly target: string } | { readonly fault: 400 | 431 };

/** The methods of RFC 9110 without CONNECT, and PATCH. Node's parser knows many more; other stacks do not. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** What RFC 3986 allows in host and port, with brackets for IPv6. */
const hostPattern = /^[\w.~!$&'()*+,;=:%[\]-]*$/;

/** Bytes of a request line beside method and target: two spaces, the version, CR LF. */
const lineBytes = 12;
/** Bytes of a header beside name and value: colon, space, CR LF. */
const separatorBytes = 4;
const endBytes = 2;

const badRequest: Judgement = { fault: 400 };

/**
 * Judges a request that Node's parser has let pass, as every stack does. Refused with 400: an unknown method, another
 * HTTP than 1.x, a target that is none or has a broken percent escape in its path, more than one Host or a bad one (RFC
 * 9112, 3.2), a transfer coding other than `chunked`; with 431: a head of more than `maxHeaderBytes`, of which Node's
 * own limit counts only a part.
 */
export function judge(head: Head, maxHeaderBytes: number): Judgement {
  const { method = '', url = '', httpVersionMajor, rawHeaders } = head;
  let bytes = method.length + url.length + lineBytes + endBytes;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const value = rawHeaders[at + 1] ?? '';
    bytes += name.length + value.length + separatorBytes;
    // Comparing lengths first spares nearly every header the rest.
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts += 1;
      if (hosts > 1 || !hostPattern.test(value)) return badRequest;
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (value.toLowerCase() !== 'chunked') return badRequest;
    }
  }
  if (bytes > maxHeaderBytes) return { fault: 431 };
  if (httpVersionMajor !== 1 || !knownMethods.has(method)) return badRequest;
  const target = originForm(url);
  if (target === undefined) return badRequest;
  // Nearly no target has a percent sign: only such a one is split.
  return target.includes('%') && hasBrokenEscape(readTarget(target).path) ? badRequest : { target };
}
