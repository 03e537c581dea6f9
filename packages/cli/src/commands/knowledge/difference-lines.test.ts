import { expect, it } from 'vitest';
import { differenceLines } from './difference-lines.ts';

const long = `SELECT '${'a'.repeat(10_000)}'`;

it('shows all parts of what one person adds, on lines of their own, and none of a draft', () => {
  const added = {
    id: 'query:sales',
    kind: 'added',
    parts: [
      { part: 'sql', before: undefined, after: 'SELECT 1\nquery:other added by kim\u202e' },
      { part: 'tags', before: undefined, after: [] },
    ],
  } as const;
  expect(differenceLines({ ...added, by: 'ann' })).toBe(
    'query:sales added by ann\n  sql: "SELECT 1\\nquery:other added by kim\\u{202e}"\n',
  );
  expect(differenceLines(added)).toBe('query:sales added\n');
});

it('shows where long values differ, and how much is left out', () => {
  const changed = {
    id: 'query:a',
    kind: 'changed',
    parts: [{ part: 'sql', before: long, after: `${long} LIMIT 0` }],
  } as const;
  for (const by of [undefined, 'ann']) expect(differenceLines({ ...changed, by })).toContain('LIMIT 0');
  const added = {
    id: 'query:a',
    kind: 'added',
    parts: [{ part: 'sql', before: undefined, after: long }],
    by: 'ann',
  } as const;
  expect(differenceLines(added)).toContain('… (6,011 more characters)');
});
