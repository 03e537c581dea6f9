import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openTypedLines } from './chat-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('typed lines of megabytes are there by their last ones, and the file becomes smaller', async () => {
  const file = join(folder, '.lines');
  appendFileSync(file, `${'é'.repeat(20_000)}\n`.repeat(80));
  const first = await openTypedLines(folder);
  await first.add('the last one');
  const { lines } = await openTypedLines(folder);
  expect(lines[0]).toBe('the last one');
  expect(new Set(lines.slice(1))).toEqual(new Set(['é'.repeat(20_000)]));
  expect(statSync(file).size).toBeLessThan(2_100_000);
});
