import { ok, type Answer } from '../http/answer.ts';
import { encodePage } from '../products/product.ts';
import type { Statement, Store } from '../products/store.ts';

/** The rows of a statement without parameters. */
export function products(store: Store, statement: Statement): () => Promise<Answer> {
  return async () => ok(encodePage(await store.products(statement)));
}
