import { type Adapter, resolveAdapter } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { postgres } from '@askema/postgres';
import { afterAll, beforeAll, describe } from 'vitest';
import { type StartedServer, startServer } from '../../../../../servers/start-server.ts';
import { runOf } from './adapter-run.ts';
import { itComputesDays } from './calendar-suite.ts';
import { itGivesTheSameValues, samplesClause } from './expression-suite.ts';

interface Ready {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

describe('PostgreSQL', () => {
  let server: StartedServer;
  let adapter: Adapter;
  beforeAll(async () => {
    server = await startServer('postgres/start.mjs', [], {
      needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
    });
    const { host, port, user, password } = server.ready as unknown as Ready;
    adapter = resolveAdapter(postgres({ host, port, user, password, database: 'postgres' }));
  });
  afterAll(async () => {
    await adapter.close();
    await server.stop();
  });

  itComputesDays(postgresDialect, () => runOf(adapter));
  itGivesTheSameValues(postgresDialect, () => runOf(adapter, samplesClause(postgresDialect)), []);
});
