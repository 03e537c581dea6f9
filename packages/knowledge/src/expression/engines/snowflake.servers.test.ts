import { type Adapter, resolveAdapter } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { snowflake } from '@askema/snowflake';
import { afterAll, beforeAll, describe } from 'vitest';
import { type StartedServer, startServer } from '../../../../../servers/start-server.ts';
import { runOf } from './adapter-run.ts';
import { itComputesDays } from './calendar-suite.ts';
import { itGivesTheSameValues, samplesClause } from './expression-suite.ts';

describe('Snowflake, as fakesnow stands in for it', () => {
  let server: StartedServer;
  let adapter: Adapter;
  beforeAll(async () => {
    server = await startServer('fakesnow/start.mjs', [], {
      needs: 'Python 3.11 or newer with venv or pip, and PyPI (Debian: apt-get install python3-venv)',
      timeoutMs: 600_000,
    });
    const accessUrl = `http://127.0.0.1:${String(server.ready.port)}`;
    const place = { database: 'SHOP', schema: 'PUBLIC' };
    const loaded = await fetch(`${accessUrl}/stand-in/load`, { method: 'POST', body: JSON.stringify(place) });
    if (!loaded.ok) throw new Error(`fakesnow did not make ${place.database}: ${await loaded.text()}`);
    adapter = resolveAdapter(
      snowflake({ account: 'fakesnow', user: 'nobody', password: 'only-a-stand-in', accessUrl, ...place }),
    );
  }, 600_000);
  afterAll(async () => {
    await adapter.close();
    await server.stop();
  });

  itComputesDays(snowflakeDialect, () => runOf(adapter));
  itGivesTheSameValues(
    snowflakeDialect,
    () => runOf(adapter, samplesClause(snowflakeDialect)),
    [],
    [
      // fakesnow puts DISTINCT into a cast.
      'AVG(DISTINCT id % 3)',
    ],
  );
});
