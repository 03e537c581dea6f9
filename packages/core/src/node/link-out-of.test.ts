import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkOutOf } from './link-out-of.ts';

let base: string;
const at = (...parts: readonly string[]): string => join(base, ...parts);
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'askema-link-'));
  mkdirSync(at('set', 'inner'), { recursive: true });
  mkdirSync(at('set-beside'));
  writeFileSync(at('set', 'plain.csv'), 'a');
  writeFileSync(at('set-beside', 'secret.csv'), 's');
  symlinkSync('../set-beside/secret.csv', at('set', 'link.csv'));
  symlinkSync(at('set-beside'), at('set', 'inner', 'folder'));
  symlinkSync(at('nothing-yet'), at('set', 'dangling'));
  symlinkSync('plain.csv', at('set', 'alias.csv'));
  symlinkSync(at('set'), at('name-of-set'));
});
afterAll(() => rmSync(base, { recursive: true }));

test('files, links within the folder, and what is not there are no problem', () => {
  for (const name of ['plain.csv', 'alias.csv', 'inner', 'absent.csv', 'absent/x.csv', '.'])
    expect(linkOutOf(at('set'), at('set', name))).toBeUndefined();
  expect(linkOutOf(at('name-of-set'), at('name-of-set', 'plain.csv'))).toBeUndefined();
});

test.each([
  ['link.csv', 'link.csv', 'set-beside/secret.csv'],
  ['inner/folder/secret.csv', 'inner/folder', 'set-beside'],
  ['dangling', 'dangling', 'nothing-yet'],
])('%s is told with the link and where it leads', (name, link, target) => {
  const problem = linkOutOf(at('set'), at('set', name));
  expect(problem).toContain(`${at('set', link)} is a link that leads out of ${at('set')}, to `);
  expect(problem).toContain(target);
});

test('a path that climbs out needs no link', () => {
  expect(linkOutOf(at('set'), at('set', '..', 'set-beside', 'secret.csv'))).toContain('which is not in');
});
