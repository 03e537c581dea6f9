import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CODES } from './error-code.ts';

const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| `'));

test('docs/errors.md has exactly one row for each code, in their order', () => {
  const documented = rows.map((row) => /^\| `([A-Z_]+)` \|/.exec(row)?.[1]);
  expect(documented).toEqual([...ERROR_CODES]);
});

test('each row says what it means, the typical cause, what to do, and whether to try again', () => {
  const incomplete = rows.filter((row) => {
    const cells = row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    return cells.length !== 5 || cells.some((cell) => cell === '') || !/^(yes|no|depends)\b/.test(cells[4] ?? '');
  });
  expect(incomplete).toEqual([]);
});
