import type { Cache as Entry } from '../contract/schema.ts';
import type { Cache } from '../cache/cache.ts';
import { ok, type Answer } from '../http/answer.ts';
import { encodePage } from '../products/product.ts';
import type { Statement, Store } from '../products/store.ts';

const hit = ['X-Cache', 'HIT'];
const miss = ['X-Cache', 'MISS'];

const entryStart = Buffer.from('{"count":');
const entryEnd = Buffer.from(']}');

/** The rows of a statement, cache-aside. */
export function productsWithCache(
  store: Store,
  statement: Statement,
  cache: Cache,
  entry: Entry,
): () => Promise<Answer> {
  return async () => {
    const found = await cache.get(entry.key);
    if (found.kind === 'hit' && isUsable(found.value)) return ok(found.value, hit);
    const body = encodePage(await store.products(statement));
    // One time-out a request, not two.
    if (found.kind !== 'away') await cache.set(entry.key, body, entry.ttlSeconds);
    return ok(body, miss);
  };
}

/** Catches an empty, cut or foreign entry without parsing one on the hot path. */
export function isUsable(value: Buffer): boolean {
  return (
    value.length >= entryStart.length + entryEnd.length &&
    value.subarray(0, entryStart.length).equals(entryStart) &&
    value.subarray(-entryEnd.length).equals(entryEnd)
  );
}
