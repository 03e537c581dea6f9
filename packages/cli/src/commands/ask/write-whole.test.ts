import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeWhole } from './write-whole.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'askema-whole-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
const write = (file: string, parts: Iterable<string> = ['new']) => writeWhole('It', { cwd, file }, parts);

describe('a file', () => {
  it('that was there is replaced at once, and what a link leads to stays', async () => {
    writeFileSync(join(cwd, 'old.svg'), 'old');
    symlinkSync('old.svg', join(cwd, 'link.svg'));
    linkSync(join(cwd, 'old.svg'), join(cwd, 'hard.svg'));
    await write('link.svg');
    await write('hard.svg');
    expect(['link.svg', 'hard.svg', 'old.svg'].map(read)).toEqual(['new', 'new', 'old']);
  });

  it('stays where writing fails, and nothing lies beside it', async () => {
    writeFileSync(join(cwd, 'old.svg'), 'old');
    mkdirSync(join(cwd, 'folder.svg'));
    function* broken() {
      yield 'half';
      throw new Error('stopped');
    }
    await expect(write('old.svg', broken())).rejects.toThrow('stopped');
    await expect(write('folder.svg')).rejects.toThrow(/^It cannot be written: a folder is called so/);
    await expect(write('none/x.svg')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(read('old.svg')).toBe('old');
    expect(readdirSync(cwd).sort()).toEqual(['folder.svg', 'old.svg']);
  });
});
