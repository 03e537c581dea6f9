import { Client } from 'pg';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';

/** A server of its own for a test file. */
export interface TestDatabase {
  readonly connection: string;
  /** The address with other parts. */
  address(parts?: { readonly user?: string; readonly password?: string; readonly database?: string }): string;
  query(sql: string, connection?: string): Promise<readonly Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export async function startDatabase(): Promise<TestDatabase> {
  const server: StartedServer = await startServer('postgres/start.mjs', [], {
    needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
  });
  const { host, port, password } = server.ready;
  const address: TestDatabase['address'] = (parts = {}) =>
    `postgres://${parts.user ?? 'postgres'}:${parts.password ?? password}@${host}:${port}/${parts.database ?? 'postgres'}`;
  return {
    connection: address(),
    address,
    async query(sql, connection = address()) {
      const client = new Client({ connectionString: connection });
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    },
    stop: server.stop,
  };
}
