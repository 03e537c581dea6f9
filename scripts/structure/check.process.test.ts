import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type CommandResult, runCommand } from '../run-command.ts';
import type { Breach } from './breach.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

const manifest = (name: string, dependencies: Files = {}, devDependencies: Files = {}): string =>
  JSON.stringify({
    name: `@askema/${name}`,
    type: 'module',
    exports: { '.': { '@askema/source': './src/index.ts' }, './package.json': './package.json' },
    dependencies,
    devDependencies,
  });
const onCore = { '@askema/core': 'workspace:*' };
const onSql = { '@askema/sql': 'workspace:*' };

/** A workspace that holds every rule, with what looks like a breach and is none. */
const SOUND: Files = {
  'package.json': JSON.stringify({ private: true, type: 'module', devDependencies: { vitest: '*' } }),
  'pnpm-workspace.yaml': 'packages:\n  - packages/*\n  - adapters/*\n',
  'packages/core/package.json': manifest('core', {}, { '@askema/sqlite': 'workspace:*' }),
  'packages/core/src/index.ts':
    "export { query } from './query/query.ts';\nexport type { Name } from './names/name.ts';\n",
  'packages/core/src/query/query.ts':
    "import type { Part } from './part.ts';\nimport { quote } from '../names/name.ts';\n" +
    'export interface Query { readonly parts: readonly Part[] }\nexport const query = (name: string): string => quote(name);\n',
  // Two files of one folder may know each other.
  'packages/core/src/query/part.ts': "import type { Query } from './query.ts';\nexport type Part = string | Query;\n",
  // A file beside a sub-folder, which the sub-folder does not import.
  'packages/core/src/names/name.ts':
    "import { fold } from './case/fold.ts';\nexport type Name = string;\nexport const quote = (name: Name): string => fold(name);\n",
  'packages/core/src/names/case/fold.ts':
    'export const fold = (name: string): string => name.toLowerCase();\nexport const isFolded = (name: string): boolean => fold(name) === name;\n',
  // A test may import packages of any floor, and use what no source uses.
  'packages/core/src/names/name.test.ts':
    "import { expect } from 'vitest';\nimport { sqlite } from '@askema/sqlite';\nimport { isFolded } from './case/fold.ts';\nexpect(isFolded(sqlite)).toBe(true);\n",
  'packages/dialects/package.json': manifest('dialects', onCore),
  'packages/dialects/src/index.ts': "import { query } from '@askema/core';\nexport const dialect = query('d');\n",
  'packages/sql/package.json': manifest('sql', onCore),
  'packages/sql/src/index.ts': "import { query } from '@askema/core';\nexport const sql = query('s');\n",
  'packages/testkit/package.json': manifest('testkit', onCore),
  'packages/testkit/src/index.ts': "import { query } from '@askema/core';\nexport const kit = query('k');\n",
  'adapters/sqlite/package.json': manifest('sqlite', { ...onCore, ...onSql }),
  'adapters/sqlite/src/index.ts':
    "import { query } from '@askema/core';\nimport { sql } from '@askema/sql';\nexport const sqlite = query(sql);\n",
};

/** Checks the sound workspace with further manifests, and with lines put at the top of its files or into new ones. */
function check(planted: Files): CommandResult & { readonly breaches: readonly Breach[] } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'askema-check-structure-')));
  folders.push(folder);
  const whole = (path: string, line: string) => (path.endsWith('.json') ? line : `${line}\n${SOUND[path] ?? ''}`);
  const changes = Object.entries(planted).map(([path, line]) => [path, whole(path, line)]);
  const files = Object.entries({ ...SOUND, ...(Object.fromEntries(changes) as Files) });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  mkdirSync(join(folder, 'node_modules/@askema'), { recursive: true });
  for (const [path, text] of files) {
    if (!path.endsWith('/package.json')) continue;
    const { name } = JSON.parse(text) as { readonly name: string };
    symlinkSync(join(folder, dirname(path)), join(folder, 'node_modules', name));
  }
  const result = runCommand(process.execPath, [join(import.meta.dirname, 'check.ts'), '--json', folder]);
  return { ...result, breaches: JSON.parse(result.stdout) as Breach[] };
}

it('passes a workspace that holds the rules', () => {
  const { status, breaches } = check({});
  expect(breaches).toEqual([]);
  expect(status).toBe(0);
}, 60_000);

/** Lines at the top of files, and manifests, each of which breaks one rule; below it, what must be said of it. */
const PLANTED: Files = {
  // Folders in a circle, by types alone.
  'packages/core/src/names/name.ts': "import type { Query } from '../query/query.ts';",
  // A sub-folder and a file beside it in a circle.
  'packages/core/src/names/case/fold.ts': "import '../name.ts';",
  // Files in a circle, directly in src.
  'packages/testkit/src/index.ts': "import './one.ts';",
  'packages/testkit/src/one.ts': "import './two.ts';",
  'packages/testkit/src/two.ts': "import './one.ts';\nimport '@askema/core/src/query/query.ts';",
  // Imports of a higher floor by types alone, of the own floor, of testkit, and of a package that no floor holds.
  'packages/sql/src/index.ts': "import type { sqlite } from '@askema/sqlite';",
  'packages/sql/package.json': manifest('sql', { ...onCore, '@askema/sqlite': 'workspace:*', 'p-limit': '*' }),
  'packages/dialects/src/index.ts': "import '@askema/sql';",
  'packages/dialects/package.json': manifest('dialects', { ...onCore, ...onSql }),
  'packages/news/package.json': manifest('news', onCore),
  'packages/news/src/index.ts': "import '@askema/core';",
  'adapters/sqlite/package.json': manifest('sqlite', { ...onCore, ...onSql, '@askema/testkit': 'workspace:*' }),
  'adapters/sqlite/src/index.ts': "import '@askema/testkit';",
  // A path into another package, in a test.
  'packages/dialects/src/path.test.ts': "import '../../core/src/query/query.ts';",
  // Exports, files and dependencies that nobody uses; one file only its test keeps.
  'packages/core/src/query/part.ts': 'export const one = 1;\nexport type Two = 2;',
  'packages/dialects/src/left.ts': 'export const left = 1;',
  'packages/dialects/src/kept.ts': 'export const kept = 1;',
  'packages/dialects/src/kept.test.ts': "import { kept } from './kept.ts';",
};
const SAID: readonly string[] = [
  'circle: packages/core/src: names/ → query/ → names/\n  cut names/ → query/ (1, types only)',
  'circle: packages/core/src/names: case/ → name.ts → case/',
  'circle: packages/testkit/src: one.ts → two.ts → one.ts',
  'floor: packages/sql/src/index.ts imports @askema/sqlite: adapters/sqlite stands on floor 5, above 1',
  'floor: packages/dialects/src/index.ts imports @askema/sql: packages/sql stands on the same floor, 1',
  'floor: packages/news/src/index.ts imports @askema/core: no floor for packages/news',
  'floor: adapters/sqlite/src/index.ts imports @askema/testkit: testkit is for tests',
  'path: packages/dialects/src/path.test.ts imports ../../core/src/query/query.ts',
  'path: packages/testkit/src/two.ts imports @askema/core/src/query/query.ts',
  'unused: packages/core/src/query/part.ts:1 one: no other file imports it',
  'unused: packages/core/src/query/part.ts:2 Two: no other file imports this type',
  'unused: packages/dialects/src/left.ts: nothing imports this file',
  'unused: packages/dialects/src/kept.ts: only its own test imports it',
  'unused: packages/sql/package.json p-limit: unused dependency',
];

it('fails on each kind of breach, and names it', () => {
  const { status, breaches } = check(PLANTED);
  const messages = breaches.map(({ rule, message }) => `${rule}: ${message}`);
  // Each breach under the words that it must start with; what was not expected stands for itself.
  const said = messages.map((message) => SAID.find((start) => message.startsWith(start)) ?? message);
  expect(said.sort()).toEqual([...SAID].sort());
  expect(status).toBe(1);
}, 60_000);
