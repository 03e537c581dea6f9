import { defineConfig } from 'vitest/config';
import { ConformanceFirst } from './scripts/testing/conformance-first.ts';

/**
 * Three projects. `unit` is fast and starts no process. `process` (`*.process.test.ts`) starts processes, kills them,
 * attacks an engine or a client, compares engines or goes through a whole data set. `servers` (`*.servers.test.ts`)
 * starts stand-ins for servers. Unit and process need Node and npm only. All read the sources of the workspace through
 * the condition `@askema/source`: nothing is built first.
 */
const source = {
  ssr: { resolve: { conditions: ['@askema/source', 'node', 'default'] } },
};
/** Processes that tests start from the sources begin in a third of the time. */
const quickStart = `--import=${new URL('scripts/testing/quick-start.ts', import.meta.url).href}`;
const execArgv = ['--conditions=@askema/source'];
const startsProcesses = [...execArgv, quickStart];
/** What is waited for comes in milliseconds, but several tests share a core in CI. */
const patient = { poll: { timeout: 10_000 } };
const never = ['**/node_modules/**', '**/dist/**', 'scripts/consumer/fixtures/**'];
const folders = ['packages/*/src', 'adapters/*/src', 'examples', 'scripts'];

/**
 * Tests of processes and of servers are tried twice in CI: on a machine that does too much, one in thousands fails by
 * chance. `scripts/count-tests.mjs` names each that needed it.
 */
const retry = process.env.CI === 'true' ? 1 : 0;

// CI reads the counts from a file; people read the terminal.
const json = process.env.VITEST_JSON;

export default defineConfig({
  test: {
    // Much of the time goes to waiting for child processes.
    maxWorkers: '100%',
    sequence: { sequencer: ConformanceFirst },
    ...(json === undefined ? {} : { reporters: ['default', 'json'], outputFile: { json } }),
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          expect: patient,
          testTimeout: 20_000,
          hookTimeout: 30_000,
          execArgv,
          // Files share a process: a third of the time would go into starting one for each.
          isolate: false,
          setupFiles: ['scripts/testing/refuse-processes.ts'],
          include: folders.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ['**/*.{process,servers}.test.ts', ...never],
        },
      },
      {
        ...source,
        test: {
          name: 'process',
          expect: patient,
          retry,
          // As above: most of a small file would be the loading of what it tests.
          isolate: false,
          // Several tests share a core in CI: what takes one second alone may take ten there.
          testTimeout: 40_000,
          hookTimeout: 30_000,
          execArgv: startsProcesses,
          include: folders.map((folder) => `${folder}/**/*.process.test.ts`),
          exclude: never,
        },
      },
      {
        ...source,
        test: {
          name: 'servers',
          expect: patient,
          retry,
          isolate: false,
          execArgv: startsProcesses,
          include: folders.map((folder) => `${folder}/**/*.servers.test.ts`),
          exclude: never,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
