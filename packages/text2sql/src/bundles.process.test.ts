import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Inside the package, so that the bundle finds workers and drivers as an application does.
const FOLDER = fileURLToPath(new URL('../.askema/bundles/', import.meta.url));
const STORE = fileURLToPath(new URL('../../../examples/store.sqlite', import.meta.url));
const RIDES = fileURLToPath(new URL('../../../examples/rides.csv', import.meta.url));
const CONDITIONS = ['@askema/source', 'node', 'import', 'module'];
/** What has a binary, which no bundler can carry. */
const EXTERNAL = ['better-sqlite3', '@duckdb/node-api'];

/** core as it is published: its build carries what no bundler could take from its source. Beside its dependencies. */
const BUILT = fileURLToPath(new URL('../../core/.askema/built/', import.meta.url));
const CORE = { '@askema/core': join(BUILT, 'index.js'), '@askema/core/node': join(BUILT, 'node.js') };

const PROGRAM = fileURLToPath(new URL('./fixtures/bundled-program.ts', import.meta.url));

const BUNDLERS: Readonly<Record<string, (entry: string, out: string) => Promise<unknown>>> = {
  esbuild: (entry, out) =>
    build({
      ...{ entryPoints: [entry], outfile: out, bundle: true, format: 'esm', platform: 'node', target: 'node22' },
      ...{ conditions: CONDITIONS, alias: CORE, external: EXTERNAL, logLevel: 'error' },
    }),
  rolldown: async (input, file) => {
    const bundle = await rolldown({
      ...{ input, platform: 'node', external: EXTERNAL, resolve: { conditionNames: CONDITIONS, alias: CORE } },
    });
    return bundle.write({ file, format: 'esm', codeSplitting: false });
  },
};

describe('an ESM bundle', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    const tsup = fileURLToPath(new URL('../../../node_modules/tsup/dist/cli-default.js', import.meta.url));
    const cwd = fileURLToPath(new URL('../../core/', import.meta.url));
    await promisify(execFile)(process.execPath, [tsup, '--no-dts', '--out-dir', BUILT], { cwd });
  }, 60_000);
  afterAll(() => {
    for (const folder of [FOLDER, BUILT]) rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.keys(BUNDLERS))('of %s runs as it is', async (bundler) => {
    const out = join(FOLDER, `${bundler}.mjs`);
    await BUNDLERS[bundler]?.(PROGRAM, out);
    const options = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', out];
    const env = { ...process.env, STORE, RIDES };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, options, { cwd: FOLDER, env });
    const [inSqlite, inDuckdb, parsed] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(stderr).toBe('');
    expect(inSqlite).toMatchObject({ type: 'answered', result: { rows: [[7]] } });
    expect(inDuckdb).toMatchObject({ type: 'answered', result: { rows: [[7]] } });
    expect(parsed).toBe(true);
  });
});
