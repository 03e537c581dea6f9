import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import { callEntry } from '../flow/test-support/journal-cases.ts';
import { openJsonlWriter } from './jsonl-writer.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'askema-writer-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('openJsonlWriter', () => {
  it('writes nothing more after one failure, so that the file has no gap', async () => {
    const file = join(directory, 'run.jsonl');
    let lost = false;
    const check = (): void => {
      if (lost) throw new AskemaError('JOURNAL_LOCKED', 'lost');
    };
    const writer = openJsonlWriter(file, { fsync: false, check });
    await writer.append([callEntry(1)]);
    lost = true;
    await expect(writer.append([callEntry(2)])).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' });
    lost = false;
    await expect(writer.append([callEntry(3)])).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' });
    await writer.close();
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(callEntry(1))}\n`);
  });

  it('has everything on disk when close resolves', async () => {
    const file = join(directory, 'run.jsonl');
    const writer = openJsonlWriter(file, { fsync: false, check: () => {} });
    const appends = [1, 2, 3].map((value) => writer.append([callEntry(value)]));
    await writer.close();
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
    await Promise.all(appends);
  });
});
