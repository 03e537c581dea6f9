/**
 * Set up before each file of the `unit` project: a test that starts a process fails, so that these tests stay fast.
 * Whatever a test opens an engine with (SQLite, DuckDB) starts a process too. Worker threads are allowed.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const)
  Object.assign(childProcess, {
    [name]: () => {
      throw new Error(
        `A unit test calls ${name}(). Name its file *.process.test.ts: it runs with \`pnpm test:process\`.`,
      );
    },
  });
syncBuiltinESMExports();
