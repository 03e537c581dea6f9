import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { result, storedRun } from './fixtures/stored-run.ts';
import { readRun } from './read-run.ts';

const root = mkdtempSync(path.join(tmpdir(), 'askema-read-run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const RECORD = JSON.stringify(storedRun('x', []).run);

function folder(lines: string, record: string | undefined = RECORD): string {
  const directory = mkdtempSync(path.join(root, 'run-'));
  if (record !== '') writeFileSync(path.join(directory, 'run.json'), record);
  writeFileSync(path.join(directory, 'results.jsonl'), lines);
  return directory;
}

describe('readRun', () => {
  it('takes the last line of a question, and not the one that is being written', async () => {
    const lines = [result('a', 'failed'), result('b', 'right'), result('a', 'right', { attempt: 2 })];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const run = await readRun(folder(`${text}${JSON.stringify(result('c', 'right')).slice(0, 40)}`));
    expect(run.results.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['a', 'right'],
      ['b', 'right'],
    ]);
    expect(run.unreadable).toEqual([]);
    expect(run.summary).toBeUndefined();
    expect(run.run.configuration.model).toBe('model-x');
  });

  it('tells of broken lines with their number, and reads the others', async () => {
    const broken = ['{', '[]', '{"schemaVersion":2}', JSON.stringify({ ...result('z', 'right'), verdict: 'great' })];
    const run = await readRun(folder([JSON.stringify(result('a', 'right')), ...broken, ''].join('\n')));
    expect(run.results.map(({ id }) => id)).toEqual(['a']);
    expect(run.unreadable.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
    expect(run.unreadable[3]?.message).toContain('verdict');
  });

  it('reads lines that hold other separators of lines, and very long ones', async () => {
    const sql = `SELECT '\u2028\r\u0085' ${'x'.repeat(3_000_000)}`;
    const run = await readRun(folder(`${JSON.stringify(result('a', 'right', { sql }))}\n`));
    expect(run.results[0]?.sql).toBe(sql);
  });

  it('reads a run that has no result yet', async () => {
    const directory = mkdtempSync(path.join(root, 'run-'));
    writeFileSync(path.join(directory, 'run.json'), RECORD);
    expect((await readRun(directory)).results).toEqual([]);
  });

  it('says what is no folder of a run', async () => {
    await expect(readRun(path.join(root, 'nowhere'))).rejects.toThrow('there is no run.json');
    await expect(readRun(folder('', '{"a":1}'))).rejects.toThrow('is no record of a run');
    await expect(readRun(folder('{"schemaVersion":1,"id":"a","scores":{}}\n'))).rejects.toThrow(
      'is no run of questions',
    );
  });
});
