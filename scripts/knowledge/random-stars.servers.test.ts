import { mariadbDialect, postgresDialect } from '@askema/dialects';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { withClient } from '../../adapters/mysql/src/test-support/load-fixture.ts';
import { startMariadb } from '../../adapters/mysql/src/test-support/start-mariadb.ts';
import { startPostgres } from '../../adapters/postgres/src/test-support/start-postgres.ts';
import { bindKnowledge } from '../../packages/knowledge/src/bind/bind-knowledge.ts';
import { compileMetrics } from '../../packages/knowledge/src/compile/compile-metrics.ts';
import { JAFFLE_KNOWLEDGE } from '../../packages/knowledge/src/test-support/jaffle/jaffle-model.ts';
import { jaffleStar } from '../../packages/knowledge/src/test-support/jaffle/jaffle-star.ts';
import { failureOf, hasJaffle, metricCases } from '../../packages/knowledge/src/test-support/jaffle/metric-cases.ts';
import { faultsOfSample, type StarDatabase } from '../../packages/knowledge/src/test-support/random/sample-stars.ts';
import { starCatalog, starStatements } from '../../packages/knowledge/src/test-support/star-tables.ts';

const TIMES = Number(process.env.ASKEMA_PROPERTY_TIMES ?? 1);
const SAMPLE = { seed: 47, stars: 60 * TIMES, requests: 4 };

/** Cells as PostgreSQL writes them. */
const asText = { getTypeParser: () => (text: string) => text };

describe('compiled metrics on servers', () => {
  it('have the values that loops over single tables find, on PostgreSQL', async () => {
    const server = await startPostgres();
    const { host, port, user, password } = server;
    const client = new pg.Client({ host, port, user, password, database: 'postgres' });
    await client.connect();
    let made = 0;
    const open = async (statements: readonly string[]): Promise<StarDatabase> => {
      made += 1;
      const name = `star_${made}`;
      await client.query([`CREATE SCHEMA ${name}`, `SET search_path = ${name}`, ...statements].join(';\n'));
      return {
        run: async (sql) => (await client.query<unknown[]>({ text: sql, rowMode: 'array', types: asText })).rows,
        close: async () => void (await client.query(`DROP SCHEMA ${name} CASCADE`)),
      };
    };
    try {
      expect(await faultsOfSample({ ...SAMPLE, dialect: postgresDialect, open })).toEqual([]);
      if (hasJaffle) expect(await jaffleFailures(open)).toEqual({});
    } finally {
      await client.end();
      await server.stop();
    }
  });

  it('have the values that loops over single tables find, on MariaDB', async () => {
    const server = await startMariadb();
    try {
      await withClient(server, async (client) => {
        let made = 0;
        const open = async (statements: readonly string[]): Promise<StarDatabase> => {
          made += 1;
          const name = `star_${made}`;
          // Texts are compared by their bytes, as they are in the loops.
          const create = `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin`;
          await client.query([create, `USE ${name}`, ...statements].join(';\n'));
          return {
            run: async (sql) => (await client.query({ sql, rowsAsArray: true }))[0] as unknown[][],
            close: async () => void (await client.query(`DROP DATABASE ${name}`)),
          };
        };
        expect(await faultsOfSample({ ...SAMPLE, dialect: mariadbDialect, open })).toEqual([]);
      });
    } finally {
      await server.stop();
    }
  });
});

async function jaffleFailures(
  open: (statements: readonly string[]) => Promise<StarDatabase>,
): Promise<Readonly<Record<string, string>>> {
  const star = jaffleStar({ typed: true });
  const catalog = starCatalog(star, postgresDialect);
  const bound = bindKnowledge(JAFFLE_KNOWLEDGE, { catalog, dialect: postgresDialect });
  const { run, close } = await open(starStatements(star, postgresDialect));
  const failures: Record<string, string> = {};
  for (const one of metricCases()) {
    const failure = await failureOf(one, { bound, compile: compileMetrics, run: async (sql) => run(sql) });
    if (failure !== undefined) failures[one.metric] = failure;
  }
  await close();
  return failures;
}
