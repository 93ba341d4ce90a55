import type { Contract } from '../../../lab/model/contract.ts';
import type { TestDatabase } from '../bed.ts';
import { searchText } from './search-text.ts';

interface Product {
  readonly id: number;
  readonly name: string;
  readonly price: string;
  readonly soldAt: string | null;
}

const limit = 100;

/** What the stacks have to answer, worked out here from the rows themselves: two stacks that are wrong alike do not pass. */
export class Catalogue {
  readonly #products: readonly Product[];
  readonly #contract: Contract;

  private constructor(products: readonly Product[], contract: Contract) {
    this.#products = products;
    this.#contract = contract;
  }

  static async read(database: TestDatabase, contract: Contract): Promise<Catalogue> {
    const { rows } = await database.connect((client) =>
      client.query<Product>(
        `SELECT id, name, price::text AS price,
                to_char(sold_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "soldAt"
         FROM products ORDER BY id`,
      ),
    );
    return new Catalogue(rows, contract);
  }

  /** The body of /products. */
  first(): string {
    return pageOf(this.#products);
  }

  /** The body of a search with a raw query string; null: 400. */
  search(query: string): string | null {
    const search = this.#contract.endpoints.find(({ query }) => query?.search)?.query?.search;
    if (search === undefined) throw new Error('the contract has no search');
    const asked = searchText(query, search.parameter, search.maxCodePoints);
    if (asked === 'bad') return null;
    const text = asked === 'none' ? search.default : asked.text;
    return pageOf(this.#products.filter(({ name }) => name.includes(text)));
  }
}

function pageOf(products: readonly Product[]): string {
  const page = products.slice(0, limit);
  return JSON.stringify({ count: page.length, products: page });
}
