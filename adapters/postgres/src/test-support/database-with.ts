import { afterAll, beforeAll } from 'vitest';
import { createDatabase, type ServerParts, withClient } from './load-fixture.ts';
import { type StartedPostgres, startPostgres } from './start-postgres.ts';

/** A server for the tests of a file, with a database in which these statements have run. The result tells tests where it is. */
export function databaseWith(statements: string): () => ServerParts {
  let server: StartedPostgres | undefined;
  let place: ServerParts;
  beforeAll(async () => {
    server = await startPostgres();
    place = await createDatabase(server);
    await withClient(place, (client) => client.query(statements));
  }, 120_000);
  afterAll(() => server?.stop(), 60_000);
  return () => place;
}
