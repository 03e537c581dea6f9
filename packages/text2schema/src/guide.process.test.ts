import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runPage } from '../../../scripts/testing/run-page.ts';
import { CONCEPTUAL_CODES } from './conceptual/index.ts';
import { DRAFT_CODES } from './mapping/design-of-draft.ts';
import { DESIGN_CODES, MAPPING_CODES, NAMED_SCHEMA_CODES } from './mapping/index.ts';

const GUIDE = readFileSync(new URL('../../../docs/guide/text2schema.md', import.meta.url), 'utf8');

/** Code and severity of each row of the table under a heading. */
function rowsUnder(heading: string): Record<string, string> {
  const [, section = ''] = GUIDE.split(`### ${heading}\n`);
  const [own = ''] = section.split('\n### ');
  return Object.fromEntries(
    [...own.matchAll(/^\| `([a-z0-9-]+)` \| (error|warning) \|/gm)].map(([, code, severity]) => [code, severity]),
  );
}

describe('docs/guide/text2schema.md', () => {
  it.each([
    ['In the conceptual model', CONCEPTUAL_CODES],
    ['In the proposal of the logical designer', MAPPING_CODES],
    ['In a schema with names', NAMED_SCHEMA_CODES],
    ['In a draft', DRAFT_CODES],
    ['In a design', DESIGN_CODES],
  ])('%s: lists every code with its severity', (heading, codes) => {
    expect(rowsUnder(heading)).toEqual(
      Object.fromEntries(Object.entries(codes).map(([code, { severity }]) => [code, severity])),
    );
  });
});

it('README.md: its program runs as it stands', async () => {
  const { stdout } = await runPage('packages/text2schema/README.md', 'packages/text2schema');
  expect(stdout).toMatch(/CREATE TABLE "?Student"?[\s\S]*PRIMARY KEY/);
}, 30_000);
