import { chmodSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileStamp } from './file-stamp.ts';

let folder = '';
let file = '';
let log = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-stamp-'));
  [file, log] = [join(folder, 'a.db'), join(folder, 'a.db-wal')];
  writeFileSync(file, 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

const later = (): number => Date.now() + 10_000;

it('stays while nothing is written, and changes with each write, also one of the same size and with the old time', async () => {
  const before = await fileStamp([file, log], later());
  expect(before).toBeTypeOf('string');
  expect(await fileStamp([file, log], later())).toBe(before);
  const seen = new Set([before]);
  const old = new Date(0);
  const changes = [
    () => writeFileSync(file, 'two'),
    () => utimesSync(file, old, old),
    () => chmodSync(file, 0o640),
    () => writeFileSync(log, 'x'),
    () => writeFileSync(join(folder, 'b'), 'two'),
    () => renameSync(join(folder, 'b'), file),
  ];
  for (const change of changes) {
    // Times of a file are those of a clock that ticks every few milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 20));
    change();
    seen.add(await fileStamp([file, log], later()));
  }
  expect(seen.size).toBe(changes.length);
});

it('takes an empty log for none, as engines that clean up leave either', async () => {
  const before = await fileStamp([file, log], later());
  writeFileSync(log, '');
  expect(await fileStamp([file, log], later())).toBe(before);
});

it('says nothing of a file that was written only just, or in the future, or that cannot be looked at', async () => {
  expect(await fileStamp([file])).toBeUndefined();
  utimesSync(file, new Date(later() + 3_600_000), new Date(later() + 3_600_000));
  expect(await fileStamp([file], later())).toBeUndefined();
  expect(await fileStamp([join(file, 'below')], later())).toBeUndefined();
});
