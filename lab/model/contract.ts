import { z } from 'zod';

const fileName = z.string().regex(/^[\w./-]+$/, 'a file name relative to contract/');

/** What an endpoint may touch beside HTTP; pg_stat_statements and Redis counters are checked against it. */
export const Touch = z.enum(['database', 'cache']);

/** As every stack serves it: nothing that a client could write in a second way, and none of the stacks' own paths. */
const path = z
  .string()
  .regex(
    /^(?!\/(?:health|stats)$)(\/[a-z0-9_-]+)+$/,
    'expected: /segments of a–z, 0–9, - and _, without a trailing slash, and not /health or /stats',
  );

export const Endpoint = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/, 'lower case, digits and hyphens'),
  path,
  title: z.string().min(1),
  touches: z.array(Touch),
  query: z
    .strictObject({
      file: fileName,
      expectedCount: z.int().min(1).max(1_000_000),
      search: z
        .strictObject({
          parameter: z.string().regex(/^[a-z][a-z0-9_-]*$/, 'expected: a–z first, then a–z, 0–9, - or _'),
          default: z.string(),
          maxCodePoints: z.int().min(1).max(10_000),
        })
        .optional(),
    })
    .optional(),
  cache: z.strictObject({ key: z.string().min(1), ttlSeconds: z.int().min(1).max(2_147_483_647) }).optional(),
});
export type Endpoint = z.infer<typeof Endpoint>;

const milliseconds = z.int().min(1).max(600_000);

/** contract/contract.json: what every stack must do. */
export const Contract = z.strictObject({
  version: z.literal(1),
  endpoints: z.array(Endpoint).min(1),
  seed: z.strictObject({
    version: z.string().min(1),
    table: z.string().min(1),
    rows: z.int().min(1),
    files: z.array(fileName).min(1),
    /** md5 over the rows in order of id: columns joined by '|' (NULL as nothing, sold_at in UTC with microseconds), rows by a newline. */
    md5: z.string().regex(/^[0-9a-f]{32}$/),
  }),
  pools: z.strictObject({ database: z.int().min(1).max(1000), redis: z.int().min(1).max(1000) }),
  limits: z.strictObject({
    poolTimeoutMs: milliseconds,
    queryTimeoutMs: milliseconds,
    cacheTimeoutMs: milliseconds,
    shutdownTimeoutMs: milliseconds,
    keepAliveTimeoutMs: milliseconds,
    maxHeaderBytes: z.int().min(8192).max(1_048_576),
    retryAfterSeconds: z.int().min(1).max(3600),
  }),
});
export type Contract = z.infer<typeof Contract>;

const rate = z.number().min(0).max(1);

/** contract/thresholds.json: limits that a load must keep, and the constants of the statistics. */
export const Thresholds = z.strictObject({
  version: z.literal(1),
  load: z.strictObject({
    /** p95 of the whole request must stay below this. */
    p95Ms: z.number().positive(),
    /** http_req_failed must stay below this. */
    failedRate: rate,
    /** checks must stay above this. */
    checksRate: rate,
  }),
  statistics: z.strictObject({
    /** Family-wise error rate of the table (Holm) and 1 − confidence of an interval. */
    alpha: z.number().gt(0).lt(1),
    minRoundsForInterval: z.int().min(6),
  }),
});
export type Thresholds = z.infer<typeof Thresholds>;
