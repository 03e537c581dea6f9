import { resolveAdapter } from '@askema/core';
import { postgresDialect, writeDdl } from '@askema/dialects';
import { type AdapterFactory, describeAdapter } from '@askema/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { actingNames, isHarmless } from './functions/harmless-functions.ts';
import { postgres } from './postgres.ts';
import { loadFixture, plant, schemaState } from './test-support/load-fixture.ts';
import { STABLE_OF_ENGINE } from './test-support/stable-of-engine.ts';
import { type StartedPglite, startPglite } from './test-support/start-pglite.ts';

let pglite: StartedPglite;
beforeAll(async () => {
  pglite = await startPglite();
}, 60_000);
afterAll(() => pglite?.stop());

let loaded = 0;

/**
 * One PGlite for all, because it takes seconds to start: each fixture has a schema of its own, which is the search
 * path.
 */
const factory: AdapterFactory = {
  async load(fixture) {
    loaded += 1;
    const schema = `fixture_${loaded}`;
    const schemas = fixture.schemas?.map(({ name }) => name) ?? [schema];
    await loadFixture(pglite, fixture, schema);
    const { stop: _stop, ...parts } = pglite;
    return {
      location: { schema },
      open: (access) =>
        postgres({ ...parts, access, searchPath: schemas, schemas, poolSize: 1, connectTimeoutMs: 60_000 }),
      state: () => schemaState(pglite, schema),
      // PGlite has neither dblink nor file_fdw.
      plant: (statements) =>
        plant(
          pglite,
          statements.filter((sql) => !/EXTENSION|FOREIGN|dblink/.test(sql)),
          schema,
        ),
      // The whole PGlite goes at the end.
      dispose: async () => undefined,
    };
  },
  statements: {
    // Nothing stops PGlite within a statement, so these end by themselves: after twice what a case, or the grace of a
    // close, waits for them on a fast machine.
    endless: 'SELECT count(*) FROM generate_series(1, 11000) AS a, generate_series(1, 11000) AS b WHERE a % 7 = b % 5',
    endlessRows: 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000000) SELECT x FROM n',
    heavy: 'SELECT count(*) FROM generate_series(1, 12000) AS a, generate_series(1, 12000) AS b WHERE a % 7 = b % 5',
  },
  ddl: (schema) => writeDdl(schema, postgresDialect),
  lacks: {
    stopping: 'nothing stops PGlite within a statement',
    'named parameters': 'parameters are numbered: $1',
    'NUL in text': 'a text has no character U+0000',
  },
};

describeAdapter('postgres on PGlite', factory, {
  timeoutMs: 60_000,
  expectedFailures: {
    'slow-beside-quick': 'PGlite has one backend: statements run one after another, and nothing stops one',
  },
});

it('has no STABLE function of its own that nobody has looked at', async () => {
  const { stop: _stop, ...parts } = pglite;
  await using adapter = resolveAdapter(postgres({ ...parts, poolSize: 1, connectTimeoutMs: 60_000 }));
  const { rows } = await adapter.query(STABLE_OF_ENGINE, { timeoutMs: 60_000 });
  const names = rows.map(([name]) => String(name)).filter((name) => !actingNames.includes(name));
  expect(names.length).toBeGreaterThan(400);
  expect(names.filter((name) => !isHarmless('', name, false))).toEqual([]);
}, 60_000);
