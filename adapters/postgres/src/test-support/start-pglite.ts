import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ServerParts } from './load-fixture.ts';

export interface StartedPglite extends ServerParts {
  stop(): void;
}

/**
 * Starts PGlite, PostgreSQL compiled to WebAssembly: one backend for all connections, without time limits and without
 * cancelling.
 */
export async function startPglite(): Promise<StartedPglite> {
  const child = fork(fileURLToPath(new URL('./pglite-process.ts', import.meta.url)), [], { execArgv: [] });
  const { port } = await new Promise<{ readonly port: number }>((resolve, reject) => {
    child.once('message', resolve as (message: unknown) => void);
    child.once('exit', (code) => reject(new Error(`PGlite ended with ${code} before it was ready.`)));
  });
  child.unref();
  return {
    host: '127.0.0.1',
    port,
    user: 'postgres',
    database: 'postgres',
    password: 'postgres',
    stop: () => child.kill(),
  };
}
