import { type Adapter, resolveAdapter } from '@askema/core';
import { mariadbDialect } from '@askema/dialects';
import { mysql } from '@askema/mysql';
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

describe('MariaDB', () => {
  let server: StartedServer;
  let adapter: Adapter;
  beforeAll(async () => {
    server = await startServer('mariadb/start.mjs', [], {
      needs: 'a MariaDB server (Debian: apt-get install mariadb-server)',
    });
    const { host, port, user, password } = server.ready as unknown as Ready;
    adapter = resolveAdapter(mysql({ product: 'mariadb', host, port, user, password }));
  });
  afterAll(async () => {
    await adapter.close();
    await server.stop();
  });

  itComputesDays(mariadbDialect, () => runOf(adapter));
  itGivesTheSameValues(mariadbDialect, () => runOf(adapter, samplesClause(mariadbDialect)), [
    'MEDIAN',
    'PERCENTILE_CONT',
    'PERCENTILE_DISC',
  ]);
});
