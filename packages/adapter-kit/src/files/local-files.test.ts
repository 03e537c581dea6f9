import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasEnding, listFiles, missingFileError, resolveLocalPath, unreadableFileError } from './local-files.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-files-'));
  for (const name of ['customers.DB', 'notes.txt']) writeFileSync(join(folder, name), 'x');
});
afterAll(() => rmSync(folder, { recursive: true }));

const isDatabase = (name: string): boolean => hasEnding(name, ['.db']);

test('a path is absolute, and an address is none', () => {
  const read = (path: unknown) => resolveLocalPath(path as string, 'file', 'a path');
  expect(read('a/b.db')).toBe(resolve('a/b.db'));
  expect(read(pathToFileURL('/a/b.db'))).toBe('/a/b.db');
  for (const path of ['', ' ', ':memory:', 'a\0b', 'https://x/y.db', new URL('https://x/y.db'), undefined])
    expect(() => read(path)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('`file`') }),
    );
});

test('a file that is not there: the nearest names, else what is there', async () => {
  const messageOf = async (name: string): Promise<string> =>
    (await missingFileError(join(folder, name), 'database file', isDatabase)).message;
  expect(await messageOf('custmers.DB')).toContain('Did you mean `customers.DB`');
  expect(await messageOf('zzz')).toMatch(/In that folder there are: customers\.DB\.$/);
  expect(await messageOf('no/such.db')).toContain('does not exist or cannot be read');
  expect(await listFiles(folder, isDatabase)).toMatchObject({ known: ['customers.DB'] });
  expect(unreadableFileError('/x', { code: 'EACCES' })).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    message: expect.stringContaining('no permission to read /x'),
  });
});
