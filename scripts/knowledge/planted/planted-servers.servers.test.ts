import type { Catalog } from '@askema/core';
import { mariadbDialect } from '@askema/dialects';
import { expect, test } from 'vitest';
import { mysql } from '../../../adapters/mysql/src/index.ts';
import { withClient } from '../../../adapters/mysql/src/test-support/load-fixture.ts';
import { startMariadb } from '../../../adapters/mysql/src/test-support/start-mariadb.ts';
import { LOADERS, type LoadedEngine } from '../../same-answers/engines.ts';
import { statementsOf } from '../../same-answers/store-tables.ts';
import { findingsOn } from './findings-on.ts';
import { TABLES } from './planted-knowledge.ts';

const SNAPSHOT = '__snapshots__/planted-findings.txt';

/** The findings are those on DuckDB, word by word. */
test.each([
  ['PostgreSQL', () => LOADERS.postgres(TABLES)],
  ['MariaDB', loadMariadb],
  ['Snowflake, as fakesnow stands in for it', () => LOADERS.snowflake(TABLES)],
] as const)('a check finds on %s what is planted', { timeout: 600_000 }, async (_, load) => {
  await expect((await findingsOn(await load())).join('\n')).toMatchFileSnapshot(SNAPSHOT);
});

test('a check finds on BigQuery, as a stand-in runs it, what is planted', async () => {
  const findings = await findingsOn(await LOADERS.bigquery(TABLES), inOnePiece);
  await expect(findings.join('\n')).toMatchFileSnapshot(SNAPSHOT);
});

/** The stand-in finds a table only where its whole name stands in quotes. */
function inOnePiece(catalog: Catalog): Catalog {
  const relations = Object.entries(catalog.relations).map(([id, { nameParts, ...facts }]) => {
    const relation = `${nameParts.schema}.${nameParts.relation}`;
    return [id, { ...facts, nameParts: { relation } }] as const;
  });
  return { ...catalog, relations: Object.fromEntries(relations) };
}

async function loadMariadb(): Promise<Pick<LoadedEngine, 'open' | 'stop'>> {
  const server = await startMariadb();
  const { host, port, user, password } = server;
  const statements = TABLES.flatMap((table) => statementsOf(table, { dialect: mariadbDialect, keys: 'enforced' }));
  await withClient(server, (client) => client.query(['CREATE DATABASE shop', 'USE shop', ...statements].join(';\n')));
  return {
    open: () => mysql({ product: 'mariadb', host, port, user, password, database: 'shop' }),
    stop: () => server.stop(),
  };
}
