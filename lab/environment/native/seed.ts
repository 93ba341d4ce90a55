import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract } from '../../model/contract.ts';
import { apiRole, databaseName, ownerRole, withClient } from '../servers/database-login.ts';
import type { Manifest } from './data-folder.ts';

/** Extension, grants and the lab's own table: docker-compose.yml mounts the same file. */
const accessFile = 'sql/access.sql';

/** What fills the database, in its order. */
function sqlFiles(contract: Contract): string[] {
  return [...contract.seed.files, accessFile];
}

/** sha256 of the SQL files that fill the database, in their order. */
export async function seedSha256(contract: Contract, contractDir: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of sqlFiles(contract)) hash.update(await readFile(join(contractDir, file)));
  return hash.digest('hex');
}

/** Fills an empty cluster: database, roles, table, rows, statistics. */
export async function seedCluster(
  port: number,
  contract: Contract,
  contractDir: string,
  passwords: Manifest['passwords'],
): Promise<void> {
  const owner = { port, user: ownerRole, password: passwords.owner };
  await withClient({ ...owner, database: 'postgres' }, async (client) => {
    await client.query(`CREATE DATABASE ${databaseName}`);
    await client.query(`CREATE ROLE ${apiRole} LOGIN PASSWORD ${client.escapeLiteral(passwords.api)}`);
  });
  await withClient({ ...owner, database: databaseName }, async (client) => {
    for (const file of sqlFiles(contract)) await client.query(await readFile(join(contractDir, file), 'utf8'));
    // Hint bits are set and the table is all-visible once, here, not by whoever reads first.
    await client.query(`VACUUM ANALYZE ${client.escapeIdentifier(contract.seed.table)}`);
    await client.query('CHECKPOINT');
  });
}
