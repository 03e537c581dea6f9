import { defineConfig } from 'vitest/config';

/**
 * Two projects: `unit` needs Node and npm only; `servers` starts stand-ins for servers.
 * Both read the sources of the workspace through the condition `@askema/source`: nothing is built first.
 */
const source = {
  ssr: { resolve: { conditions: ['@askema/source', 'node', 'default'] } },
};
const execArgv = ['--conditions=@askema/source'];
const folders = ['packages/*/src', 'adapters/*/src', 'examples', 'scripts'];

// CI reads the counts from a file; people read the terminal.
const json = process.env.VITEST_JSON;

export default defineConfig({
  test: {
    // Much of the time goes to waiting for child processes.
    maxWorkers: '100%',
    ...(json === undefined ? {} : { reporters: ['default', 'json'], outputFile: { json } }),
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          // Two tests share a core in CI: what takes one second alone may take several there.
          testTimeout: 20_000,
          hookTimeout: 30_000,
          execArgv,
          include: folders.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ['**/*.servers.test.ts', '**/node_modules/**', '**/dist/**', 'scripts/consumer/fixtures/**'],
        },
      },
      {
        ...source,
        test: {
          name: 'servers',
          execArgv,
          include: folders.map((folder) => `${folder}/**/*.servers.test.ts`),
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
