import { startServer } from '../../servers/start-server.ts';
import type { Absent, Started } from './bench.ts';

/** Where the server of a bench is, without the database. Set by the program for its children. */
const ADDRESS = 'ASKEMA_BENCH_POSTGRES';

/** A PostgreSQL server of its own in a temporary folder, of the programs that Debian installs. */
export async function startPostgres(): Promise<Started | Absent> {
  try {
    const server = await startServer('postgres/start.mjs', [], { needs: 'a PostgreSQL server' });
    const { user, password, host, port } = server.ready;
    return { environment: { [ADDRESS]: `postgres://${user}:${password}@${host}:${port}` }, stop: server.stop };
  } catch (error) {
    return { absent: `PostgreSQL is left out: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Undefined where no server could be started. */
export const postgresServer = (): string | undefined => process.env[ADDRESS];
