import { LabError } from '../model/errors.ts';
import type { ServerFingerprint } from '../model/result.ts';

/** The lab's own connection, and those that PostgreSQL keeps for superusers (superuser_reserved_connections, by default 3). */
const reserved = 4;

/**
 * Under load every process of every API fills its pool. @throws LabError BAD_ARGUMENT where that is more than PostgreSQL takes:
 * some requests would fail for it, and only on one side.
 */
export function refuseLargePools(servers: Readonly<Record<string, ServerFingerprint>>): void {
  const most = Number(servers.postgres?.settings.max_connections);
  const wanted = Object.values(servers).reduce(
    (sum, { pools, settings }) => sum + (pools === null ? 0 : pools.database * Number(settings.processes ?? 1)),
    0,
  );
  // Where PostgreSQL cannot be asked, nobody knows its limit.
  if (Number.isNaN(most) || wanted <= most - reserved) return;
  throw new LabError(
    'BAD_ARGUMENT',
    `the APIs' pools may open ${wanted} connections, and PostgreSQL takes ${most}, ${reserved} of them for others`,
    'Make the pools smaller (DB_POOL_SIZE, or `pools` in contract/contract.json), or measure fewer variants at once.',
  );
}
