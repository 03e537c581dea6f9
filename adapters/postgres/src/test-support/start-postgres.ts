import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import type { ServerParts } from './load-fixture.ts';

/** A real server in a temporary folder. */
export interface StartedPostgres extends ServerParts {
  /** The folder of its Unix socket. */
  readonly sockets: string;
  readonly serverPid: number;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<StartedPostgres> {
  const started: StartedServer = await startServer('postgres/start.mjs', [], {
    needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
  });
  return { ...(started.ready as unknown as Omit<StartedPostgres, 'stop'>), stop: started.stop };
}
