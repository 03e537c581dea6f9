import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import type { ServerParts } from './load-fixture.ts';

/** A real server in a temporary folder. */
export interface StartedMariadb extends ServerParts {
  readonly socket: string;
  /** A folder that the server may write to. */
  readonly folder: string;
  /** The file of its certificate, with `--tls`. */
  readonly certificate: string;
  readonly serverPid: number;
  stop(): Promise<void>;
}

/** @param settings of the server: `--lower-case-table-names=1`. */
export async function startMariadb(...settings: readonly string[]): Promise<StartedMariadb> {
  const started: StartedServer = await startServer('mariadb/start.mjs', settings, {
    needs: 'a MariaDB server (Debian: apt-get install mariadb-server)',
  });
  return { ...(started.ready as unknown as Omit<StartedMariadb, 'stop'>), stop: started.stop };
}
