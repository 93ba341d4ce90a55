import type { Search } from '../contract/schema.ts';
import { ok, problem, type Answer } from '../http/answer.ts';
import { containing } from '../products/like.ts';
import { encodePage } from '../products/product.ts';
import { readSearchQuery } from '../products/search-query.ts';
import type { Statement, Store } from '../products/store.ts';

/** The rows whose name has the text that the query string asks for, else the contract's. */
export function productsWhereLike(
  store: Store,
  statement: Statement,
  search: Search,
): (query: string) => Answer | Promise<Answer> {
  const refusal = problem(400, `bad ${search.parameter}`);
  return async (query) => {
    const asked = readSearchQuery(query, search.parameter, search.maxCodePoints);
    if (asked.kind === 'bad') return refusal;
    const text = asked.kind === 'text' ? asked.text : search.default;
    return ok(encodePage(await store.products(statement, [containing(text)])));
  };
}
