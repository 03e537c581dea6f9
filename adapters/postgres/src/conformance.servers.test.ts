import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresDialect, writeDdl } from '@askema/dialects';
import { type AdapterFactory, describeAdapter } from '@askema/testkit';
import { afterAll, beforeAll } from 'vitest';
import { postgres } from './postgres.ts';
import { createDatabase, dropDatabase, loadFixture, plant, runningOf, stateOf } from './test-support/load-fixture.ts';
import { type StartedPostgres, startPostgres } from './test-support/start-postgres.ts';

let server: StartedPostgres;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server?.stop(), 60_000);

const factory: AdapterFactory = {
  async load(fixture) {
    const database = await createDatabase(server, fixture.name);
    await loadFixture(database, fixture);
    const folder = mkdtempSync(join(tmpdir(), 'askema-postgres-hostile-'));
    // Programs of the server, which has a user of its own, could write here.
    chmodSync(folder, 0o777);
    const { host, port, user, password } = database;
    return {
      folder,
      // As the superuser: what is refused to him is refused to everybody.
      open: (access) => postgres({ host, port, user, password, database: database.database, access }),
      state: async () => JSON.stringify([await stateOf(database), readdirSync(folder)]),
      plant: (statements) => plant(database, statements),
      running: () => runningOf(database),
      dispose: async () => {
        await dropDatabase(database);
        rmSync(folder, { recursive: true });
      },
    };
  },
  ddl: (schema) => writeDdl(schema, postgresDialect),
  lacks: {
    'named parameters': 'parameters are numbered: $1',
    'NUL in text': 'a text has no character U+0000',
  },
};

describeAdapter('postgres', factory, { timeoutMs: 60_000 });
