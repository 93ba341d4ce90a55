import { z } from 'zod';

/** The version of contract.json that this stack understands. */
export const contractVersion = 1;

/** Paths that every stack serves beside the contract's. */
export const ownPaths: readonly string[] = ['/health', '/stats'];

const longestMs = 600_000;
const milliseconds = z.int().min(1).max(longestMs);
const poolSize = z.int().min(1).max(1000);

const Search = z.object({
  parameter: z.string().regex(/^[a-z][a-z0-9_-]*$/, 'expected: a–z first, then a–z, 0–9, - or _'),
  default: z.string(),
  maxCodePoints: z.int().min(1).max(10_000),
});

const Query = z.object({
  file: z.string().regex(/^(?!\/)(?!.*\.\.)[\w./-]+$/, "expected: a file below the contract's folder"),
  expectedCount: z.int().min(1).max(1_000_000),
  search: Search.optional(),
});

const Cache = z.object({ key: z.string().min(1), ttlSeconds: z.int().min(1) });

const Endpoint = z.object({
  id: z.string().min(1),
  // A path is served exactly as it is sent, so it holds nothing that a client could write in a second way.
  path: z
    .string()
    .regex(/^(\/[a-z0-9_-]+)+$/, 'expected: /segments of a–z, 0–9, - and _, without a trailing slash')
    .refine((path) => !ownPaths.includes(path), "the stack's own path"),
  query: Query.optional(),
  cache: Cache.optional(),
});

/**
 * The part of contract.json that a stack needs. Fields that it does not name are left alone: the lab reads the same
 * file and needs more.
 */
export const Contract = z.object({
  version: z.literal(contractVersion),
  endpoints: z
    .array(Endpoint)
    .min(1)
    .superRefine((endpoints, context) => {
      for (const field of ['id', 'path'] as const) {
        endpoints.forEach((endpoint, index) => {
          if (endpoints.findIndex((other) => other[field] === endpoint[field]) < index) {
            context.addIssue({ code: 'custom', path: [index, field], message: `"${endpoint[field]}" occurs twice` });
          }
        });
      }
    }),
  seed: z.object({ version: z.string().min(1) }),
  pools: z.object({ database: poolSize, redis: poolSize }),
  limits: z.object({
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
export type Endpoint = z.infer<typeof Endpoint>;
export type Search = z.infer<typeof Search>;
export type Cache = z.infer<typeof Cache>;
export type Limits = Contract['limits'];
