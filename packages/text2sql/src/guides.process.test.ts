import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
// Inside the package, so that packages are found by their own names.
const FOLDER = fileURLToPath(new URL('../.askema/guides/', import.meta.url));
const NODE_OPTIONS = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning'];

/** The whole programs of a guide (```ts run), and what each of them must print. */
const GUIDES: Readonly<Record<string, readonly RegExp[]>> = {
  'text2sql.md': [
    /^SELECT COUNT/i,
    /^\[ \[ \d+ \] \]\n$/,
    /^1 .*city in suppliers.*\n2 .*city in customers.*\nanswered\n$/,
    /^SELECT COUNT.* LIMIT 100\nSELECT COUNT.*[^0]\n$/i,
    /^$/,
    /^1 924 undefined\n$/,
    /^answered\n$/,
    /^answered get-schema generate-sql execute-sql weigh-readings\ncancelled\n$/,
  ],
  'conversations.md': [
    /^How many customers are there\?\n\[ \[ \d+ \] \]\n1 How many customers are there\? answered\n$/,
  ],
  'exploration.md': [/^Joins:[\s\S]*customers \(240 rows\)[\s\S]*city: 24 distinct: 'Utrecht' 18×/],
  'voting.md': [/^true\n[\s\S]*decision: 'decided'[\s\S]*winner: '1'/],
  'refine.md': [
    /^get-schema → take-choice → [\s\S]*profile-columns → threads → vote → choose-answer → weigh-readings\nwrite-sql, [\s\S]*ctes\n3\n$/,
  ],
  'inspect.md': [
    /^WHERE city = 'utrecht' .*value-not-found[\s\S]*WHERE city = 'Utrecht' \n[\s\S]*read as the stored “Utrecht” of customers\.city\.\n1\n$/,
    /^3 warning warning\n$/,
  ],
  'rules.md': [
    /^custom\/revenue.*\n {2}SELECT.* WHERE "order"\.status <> 'cancelled'\nnothing found[\s\S]*value-format: An SKU[\s\S]*custom\/products/,
    /^as it should\n$/,
  ],
  'schemas.md': [/^\[\]\n$/, /CREATE TABLE author[\s\S]*IF NOT EXISTS[\s\S]*erDiagram/],
};

function programsOf(guide: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs/guide', guide), 'utf8');
  return [...text.matchAll(/^```ts run\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
}

describe.each(Object.entries(GUIDES))('docs/guide/%s', (guide, outputs) => {
  beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

  it('has no program that is not run here', () => {
    expect(programsOf(guide)).toHaveLength(outputs.length);
  });

  it.concurrent.each(outputs.map((output, index) => ({ number: index + 1, output })))(
    'program $number runs as it stands',
    async ({ number, output }) => {
      const file = join(FOLDER, `${guide}-${number}.ts`);
      writeFileSync(file, programsOf(guide)[number - 1] ?? '');
      const environment = { ...process.env, TMPDIR: FOLDER };
      const ran = await promisify(execFile)(process.execPath, [...NODE_OPTIONS, file], { cwd: ROOT, env: environment });
      expect(ran.stderr).toBe('');
      expect(ran.stdout).toMatch(output);
    },
    30_000,
  );
});
