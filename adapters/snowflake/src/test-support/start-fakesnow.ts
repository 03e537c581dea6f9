import { type StartedServer, startServer } from '../../../../servers/start-server.ts';

/** fakesnow behind its proxy. */
export interface StartedFakesnow {
  readonly url: string;
  /** Runs statements in a schema, which is made with its database where it is missing; `duckdb` are DuckDB's own. */
  load(place: {
    readonly database: string;
    readonly schema: string;
    readonly snowflake?: readonly string[] | undefined;
    readonly duckdb?: readonly string[] | undefined;
  }): Promise<void>;
  /** A hash of everything that a forbidden statement could have changed. */
  state(database: string): Promise<string>;
  stop(): Promise<void>;
}

/** Installs it at the first time, which takes about half a minute. */
export async function startFakesnow(): Promise<StartedFakesnow> {
  const server: StartedServer = await startServer('fakesnow/start.mjs', [], {
    needs: 'Python 3.11 or newer with venv or pip, and PyPI (Debian: apt-get install python3-venv)',
    timeoutMs: 600_000,
  });
  const url = `http://127.0.0.1:${String(server.ready.port)}`;
  return {
    url,
    async load(place) {
      const response = await fetch(`${url}/stand-in/load`, { method: 'POST', body: JSON.stringify(place) });
      const answer = (await response.json()) as { readonly success: boolean; readonly message?: string };
      if (!answer.success) throw new Error(`fakesnow did not load ${place.database}: ${answer.message}`);
    },
    async state(database) {
      const response = await fetch(`${url}/stand-in/state?database=${encodeURIComponent(database)}`);
      return ((await response.json()) as { readonly state: string }).state;
    },
    stop: () => server.stop(),
  };
}
