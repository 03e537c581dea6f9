import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configRisk } from './config-risk.ts';
import { loadConfig } from './load-config.ts';

const isPosix = process.getuid !== undefined;
const user = process.getuid?.() ?? 0;
const isRoot = isPosix && user === 0;
const CONFIG = 'askema.config.mjs';
const CONTEXT = { atEnd: () => undefined };

let folder: string;
let file: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'askema-risk-')));
  mkdirSync(join(folder, 'project', 'deep'), { recursive: true });
  file = join(folder, 'project', CONFIG);
  writeFileSync(file, 'export default { defaults: { flow: "planted" } }');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.runIf(isPosix)('a configuration that others may write', () => {
  test('one of one’s own is run, also below a shared folder with the sticky bit', async () => {
    expect(configRisk(file)).toBeUndefined();
    chmodSync(folder, 0o1777);
    expect(configRisk(file)).toBeUndefined();
    expect((await loadConfig(join(folder, 'project', 'deep'), undefined, CONTEXT)).config).toMatchObject({
      defaults: {},
    });
  });

  test.each([
    ['its folder', () => chmodSync(join(folder, 'project'), 0o777)],
    ['its folder, sticky', () => chmodSync(join(folder, 'project'), 0o1777)],
    ['a folder above', () => chmodSync(folder, 0o777)],
    ['the file', () => chmodSync(file, 0o666)],
  ])('is not run when %s is open to all', async (_, open) => {
    open();
    await expect(loadConfig(join(folder, 'project', 'deep'), undefined, CONTEXT)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(
        /^The configuration .*askema\.config\.mjs is not run: every user may write to .*\. .*chmod.*--config/,
      ),
    });
  });

  test('a link to one that others may write is not run', () => {
    chmodSync(file, 0o666);
    const link = join(folder, CONFIG);
    symlinkSync(file, link);
    expect(configRisk(link)).toContain(`every user may write to ${file}`);
  });

  test('one that is named is run: a person chose it', async () => {
    chmodSync(file, 0o666);
    expect((await loadConfig(folder, file, CONTEXT)).config).toEqual({ defaults: { flow: 'planted' } });
  });

  test('one of another user, or of a group, is not run', () => {
    // Who is not root owns the file, and cannot give it away.
    if (!isRoot) return expect(configRisk(file, user + 1)).toContain(`belongs to another user (${user})`);
    chownSync(file, 12_345, 12_345);
    expect(configRisk(file)).toBe(`${file} belongs to another user (12345)`);
    chownSync(file, 0, 12_345);
    chmodSync(file, 0o664);
    expect(configRisk(file)).toBe(`the group 12345 may write to ${file}`);
    chownSync(file, 12_345, 12_345);
    return expect(configRisk(file, 12_345)).toBeUndefined();
  });
});
