/** One row as the database has it. Numbers that JavaScript could round, and times that it would cut, are text. */
export interface ProductRow {
  readonly id: number;
  readonly name: string;
  readonly price: string;
  readonly sold_at: string | null;
}

/** The body of an answer: `{"count":…,"products":[…]}`. */
export function encodePage(rows: readonly ProductRow[]): string {
  const products = rows.map(({ id, name, price, sold_at: soldAt }) => ({ id, name, price, soldAt }));
  return JSON.stringify({ count: products.length, products });
}
