import { readdirSync } from 'node:fs';
import { mariadbDialect, writeDdl } from '@askema/dialects';
import { type AdapterFactory, describeAdapter } from '@askema/testkit';
import { afterAll, beforeAll } from 'vitest';
import { mysql } from './mysql.ts';
import { dropDatabases, loadFixture, runningOf, stateOf, withClient } from './test-support/load-fixture.ts';
import { type StartedMariadb, startMariadb } from './test-support/start-mariadb.ts';

let server: StartedMariadb;
beforeAll(async () => {
  server = await startMariadb();
}, 120_000);
afterAll(() => server?.stop(), 60_000);

/** Rows come while the statement runs from a table of the sequence engine; a recursive query is computed first. */
const sequence = (end: number): string => `SELECT seq AS x FROM seq_1_to_${end}`;

const factory: AdapterFactory = {
  async load(fixture) {
    const schemas = fixture.schemas ?? [];
    for (const { name, content } of schemas) await loadFixture(server, content, name);
    const database = await loadFixture(server, fixture);
    const databases = schemas.length === 0 ? [database] : schemas.map(({ name }) => name);
    const { host, port, user, password, folder } = server;
    return {
      folder,
      secrets: [password],
      // As a user who may do everything: what is refused to it is refused to everybody.
      open: (access) => mysql({ product: 'mariadb', host, port, user, password, database, databases, access }),
      state: async () => JSON.stringify([await stateOf(server, databases), readdirSync(folder)]),
      plant: (statements) =>
        withClient(server, async (client) => {
          await client.query(`USE \`${database}\``);
          for (const sql of statements) await client.query(sql);
        }),
      running: () => runningOf(server),
      dispose: () => dropDatabases(server, [database, ...databases]),
    };
  },
  statements: {
    endless: 'SELECT COUNT(*) FROM seq_1_to_1000000000 AS a, seq_1_to_1000000000 AS b WHERE a.seq % 7 = b.seq % 5',
    endlessRows: sequence(1_000_000_000_000),
    heavy: 'SELECT SUM(a.seq * b.seq + c.seq) FROM seq_1_to_2000 a, seq_1_to_2000 b, seq_1_to_2000 c',
    rows: sequence,
    failingRows: (count) => `SELECT ${2n ** 64n - 1n - BigInt(count)} + seq AS x FROM seq_1_to_${count + 1_000}`,
  },
  ddl: (schema) => writeDdl(schema, mariadbDialect),
  unusableNames: { 'emoji 🦊': 'names end at U+FFFF' },
  lacks: {
    nan: 'there is no NaN',
    infinity: 'there is no infinity',
    'named parameters': 'parameters are placed by ? alone',
    'strict types': 'text that is no number counts as 0',
    'division errors': 'a division by zero is NULL',
    'zoned timestamps': 'no type keeps or shows a zone',
  },
};

describeAdapter('mysql on MariaDB', factory, {
  timeoutMs: 60_000,
  timeoutsMs: { 'catalog-many-tables': 120_000 },
});
