import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPrivateFile, removeOld, writePrivateFile } from './private-file.ts';

let parent = '';
let folder = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'askema-private-'));
  folder = join(parent, 'catalogs');
});
afterEach(() => rmSync(parent, { recursive: true }));

const read = async (name = 'a', maxBytes = 1_000): Promise<string | undefined> =>
  (await readPrivateFile(folder, name, maxBytes))?.toString();
const isWindows = process.platform === 'win32';

describe('writePrivateFile and readPrivateFile', () => {
  it('make a folder and files for this user alone, and replace what is there', async () => {
    expect(await read()).toBeUndefined();
    expect(await writePrivateFile(folder, 'a', 'one')).toBe(true);
    expect(await writePrivateFile(folder, 'a', 'two')).toBe(true);
    expect(await read()).toBe('two');
    expect(readdirSync(folder)).toEqual(['a']);
    if (!isWindows)
      expect([statSync(folder).mode & 0o777, statSync(join(folder, 'a')).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it('make no folders above, and say that nothing was written', async () => {
    folder = join(parent, 'gone', 'catalogs');
    expect(await writePrivateFile(folder, 'a', 'one')).toBe(false);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('read nothing that is larger than it may be', async () => {
    await writePrivateFile(folder, 'a', 'x'.repeat(2_000));
    expect(await read()).toBeUndefined();
  });

  it.skipIf(isWindows).each([
    ['a file that others may read', () => chmodSync(join(folder, 'a'), 0o644)],
    ['a file that others may write', () => chmodSync(join(folder, 'a'), 0o620)],
    ['a folder that others may write to', () => chmodSync(folder, 0o777)],
    ['a second name of a file', () => linkSync(join(folder, 'a'), join(parent, 'b'))],
    [
      'a folder in its place',
      () => {
        rmSync(join(folder, 'a'));
        mkdirSync(join(folder, 'a'), { mode: 0o700 });
      },
    ],
  ])('%s is not read (skipped on Windows, which has no modes)', async (_what, change) => {
    await writePrivateFile(folder, 'a', 'one');
    change();
    expect(await read()).toBeUndefined();
  });

  it.skipIf(isWindows)('a link is not read, and is replaced itself (skipped on Windows)', async () => {
    await writePrivateFile(folder, 'other', 'of somebody');
    symlinkSync(join(folder, 'other'), join(folder, 'a'));
    expect(await read()).toBeUndefined();
    expect(await writePrivateFile(folder, 'a', 'mine')).toBe(true);
    expect([await read(), readFileSync(join(folder, 'other'), 'utf8')]).toEqual(['mine', 'of somebody']);
  });

  it.skipIf(isWindows)('nothing is read or written through a link to a folder (skipped on Windows)', async () => {
    const real = join(parent, 'real');
    mkdirSync(real, { mode: 0o700 });
    symlinkSync(real, folder);
    expect(await writePrivateFile(folder, 'a', 'one')).toBe(false);
    expect(readdirSync(real)).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)('nothing of another user is read (only the superuser can test it)', async () => {
    await writePrivateFile(folder, 'a', 'one');
    chownSync(join(folder, 'a'), 12_345, 12_345);
    expect(await read()).toBeUndefined();
    chownSync(join(folder, 'a'), 0, 0);
    expect(await read()).toBe('one');
    chownSync(folder, 12_345, 12_345);
    expect(await read()).toBeUndefined();
    expect(await writePrivateFile(folder, 'a', 'two')).toBe(false);
  });
});

describe('removeOld', () => {
  it('removes old files of ours and what was never finished, and nothing else', async () => {
    const dayAgo = new Date(Date.now() - 86_400_000);
    for (const name of ['old.catalog', 'new.catalog', 'old.txt', 'old.catalog.12.tmp', 'new.catalog.12.tmp']) {
      await writePrivateFile(folder, name, 'x');
      if (name.startsWith('old')) utimesSync(join(folder, name), dayAgo, dayAgo);
    }
    writeFileSync(join(parent, 'old.catalog'), '');
    await removeOld(folder, '.catalog', Date.now() - 7_200_000);
    expect(readdirSync(folder).sort()).toEqual(['new.catalog', 'new.catalog.12.tmp', 'old.txt']);
    await removeOld(join(parent, 'gone'), '.catalog', Date.now());
  });
});
