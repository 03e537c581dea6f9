import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const PAGE = new URL('../../../../docs/guide/knowledge-check.md', import.meta.url);

/** Where a code is given to a problem: as a property, as an argument, or of a statement that does not run. */
const CODE =
  /(?:\bcode: |(?:error|warn)\(\s*|report\(\s*'(?:error|warning)',\s*|conflict\(\s*)'([a-z]+(?:-[a-z]+)+)'|'([a-z-]+-(?:fails|not-unique))'/g;

it('the guide explains every code that a problem can have, and no other', () => {
  const files = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => !/\.test\.ts$|test-support/.test(file));
  const texts = files.map((file) => readFileSync(`${SOURCES}/${file}`, 'utf8'));
  const codes = texts.flatMap((text) => [...text.matchAll(CODE)].map(([, property, argument]) => property ?? argument));
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `([a-z-]+)` \| (?:error|warning|note)[^|]* \| [^|]+ \|$/gm);
  const listed = [...rows].map(([, code]) => code);
  expect(listed).toEqual(listed.toSorted());
  expect(listed).toEqual([...new Set(codes)].sort());
});
