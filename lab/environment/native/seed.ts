import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Contract } from '../../model/contract.ts';
import { apiRole, databaseName, ownerRole, withClient } from '../servers/database-login.ts';
import type { Manifest } from './data-folder.ts';

/** sha256 of the seed's SQL files, in their order. */
export async function seedSha256(contract: Contract, contractDir: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of contract.seed.files) hash.update(await readFile(join(contractDir, file)));
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
    await client.query('CREATE EXTENSION pg_stat_statements');
    for (const file of contract.seed.files) await client.query(await readFile(join(contractDir, file), 'utf8'));
    await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${apiRole}`);
    await client.query('CREATE SCHEMA loadlab');
    await client.query('CREATE TABLE loadlab.identity (nonce text NOT NULL)');
    await client.query(`GRANT USAGE ON SCHEMA loadlab TO ${apiRole}`);
    await client.query(`GRANT SELECT ON loadlab.identity TO ${apiRole}`);
    // Hint bits are set and the table is all-visible once, here, not by whoever reads first.
    await client.query(`VACUUM ANALYZE ${client.escapeIdentifier(contract.seed.table)}`);
    await client.query('CHECKPOINT');
  });
}
