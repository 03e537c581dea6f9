import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ADAPTER_CASES } from './describe-adapter.ts';

const guide = readFileSync(new URL('../../../../../docs/guide/adapters.md', import.meta.url), 'utf8');

test('the guide for authors says of every case what it asks, and of no other', () => {
  const rows = /### What the suite asks\n.*?\n(?=#)/s.exec(guide)?.[0].match(/^\| `[^|]*\|/gm) ?? [];
  const listed = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, id]) => id));
  expect(listed.toSorted()).toEqual(Object.keys(ADAPTER_CASES).toSorted());
});
