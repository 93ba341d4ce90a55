import type { Endpoint } from '../../lab/model/contract.ts';

/** The two answers of the null server, under the contract's paths so that k6's scenarios run against it unchanged. */

/** As /hello answers: 20 bytes. */
export const smallBody = '{"message":"Hello!"}';

/** In the shape of /products: 100 rows, about 7.7 KB. */
export const largeBody = JSON.stringify({
  count: 100,
  products: Array.from({ length: 100 }, (_, index) => ({
    id: index + 1,
    name: `Null & ${index + 1}`,
    price: (index * 1.37 + 1).toFixed(2),
    soldAt: '2024-01-01T00:00:00Z',
  })),
});

export const smallEndpoint: Endpoint = { id: 'hello', path: '/hello', title: 'a small body', touches: [] };

export const largeEndpoint: Endpoint = {
  id: 'products',
  path: '/products',
  title: 'a large body',
  touches: [],
  query: { file: 'none.sql', expectedCount: 100 },
};
