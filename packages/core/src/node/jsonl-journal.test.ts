import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { callEntry, describeJournal, headerEntry } from '../flow/test-support/journal-cases.ts';
import { START, trailFlow } from '../flow/test-support/journaled-flow.ts';
import { jsonlJournal } from './jsonl-journal.ts';

const directories: string[] = [];
function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'askema-journal-'));
  directories.push(directory);
  return directory;
}
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** A directory with one run in it: its header and two calls. */
async function written(): Promise<{ readonly directory: string; readonly file: string }> {
  const directory = temporary();
  const opened = await jsonlJournal({ directory }).open('r');
  await opened.append([headerEntry('r'), callEntry(1), callEntry(2)]);
  await opened.close();
  return { directory, file: join(directory, 'r.jsonl') };
}

describe('jsonlJournal in a directory', () => {
  for (const fsync of [true, false]) {
    describe(`with fsync ${fsync}`, () => {
      describeJournal(() => {
        const directory = join(temporary(), 'made', 'when missing');
        return { journal: jsonlJournal({ directory, fsync }), reload: () => jsonlJournal({ directory, fsync }) };
      });
    });
  }

  it('leaves nothing but the runs behind, and none for a run that was never written', async () => {
    const { directory } = await written();
    const journal = jsonlJournal({ directory });
    await expect(trailFlow().resume('unknown', { calls: [] }, { journal })).rejects.toThrow(/has no run `unknown`/);
    expect(readdirSync(directory)).toEqual(['r.jsonl']);
  });

  it.each([
    '{"schemaVersion":1,"at":3,"path":"f@1',
    '{"schemaVersion":1,"at":3,"path":"p","kind":"call","value":1}',
    '\0\0',
  ])('drops a last line that was cut off: %j', async (torn) => {
    const { directory, file } = await written();
    const whole = readFileSync(file, 'utf8');
    appendFileSync(file, torn);
    const journal = jsonlJournal({ directory });
    expect(await journal.read('r')).toHaveLength(3);
    expect(readFileSync(file, 'utf8')).toBe(whole + torn);
    const opened = await journal.open('r');
    expect(opened.entries).toHaveLength(3);
    await opened.append([callEntry(3)]);
    await opened.close();
    expect(await journal.read('r')).toEqual([headerEntry('r'), callEntry(1), callEntry(2), callEntry(3)]);
  });

  it('treats a header that was cut off as no run at all', async () => {
    const directory = temporary();
    writeFileSync(join(directory, 'r.jsonl'), JSON.stringify(headerEntry('r')).slice(0, 40));
    const journal = jsonlJournal({ directory });
    expect(await journal.runIds()).toEqual([]);
    await trailFlow().run(START, { calls: [] }, { journal, runId: 'r' });
    await expect(trailFlow().replay('r', { journal })).resolves.toMatchObject({ status: 'finished' });
  });

  const line = (entry: object): string => JSON.stringify(entry);
  it.each([
    ['no JSON', '{"schemaVersion":1,', /line 2 is no JSON/],
    ['an empty line', '', /line 2 is no JSON/],
    ['something else', '{"hello":"world"}', /line 2 is no journal entry/],
    ['an unknown kind', line({ ...callEntry(1), kind: 'constructor' }), /line 2 is no journal entry/],
    [
      'a missing value',
      line({ ...callEntry(1), value: undefined }),
      /line 2 is an entry of kind call without .*`value`/,
    ],
    ['a path that is none', line({ ...callEntry(1), path: 5 }), /line 2 .* without a valid `path`/],
    [
      'a newer version',
      line({ ...callEntry(1), schemaVersion: 2 }),
      /line 2 has schemaVersion 2, which a newer version/,
    ],
  ])('refuses a line with %s, naming file and line', async (_what, middle, message) => {
    const { directory, file } = await written();
    const lines = readFileSync(file, 'utf8').split('\n');
    lines[1] = middle;
    writeFileSync(file, lines.join('\n'));
    const journal = jsonlJournal({ directory });
    const expected = { code: 'JOURNAL_INVALID', message: expect.stringMatching(message) };
    await expect(journal.read('r')).rejects.toMatchObject(expected);
    await expect(journal.open('r')).rejects.toMatchObject(expected);
    await expect(journal.read('r')).rejects.toThrow(file);
    expect(readdirSync(directory)).toEqual(['r.jsonl']);
  });

  it('refuses bytes that are no text', async () => {
    const { directory, file } = await written();
    const bytes = readFileSync(file);
    bytes[bytes.indexOf('call#1') + 1] = 0xff;
    writeFileSync(file, bytes);
    await expect(jsonlJournal({ directory }).read('r')).rejects.toMatchObject({ code: 'JOURNAL_INVALID' });
  });

  it('refuses a file without a header', async () => {
    const directory = temporary();
    writeFileSync(join(directory, 'r.jsonl'), `${JSON.stringify(callEntry(1))}\n`);
    await expect(jsonlJournal({ directory }).read('r')).rejects.toThrow(/line 1 is not the start of a run/);
  });

  it('refuses a run id that makes no file name', async () => {
    const journal = jsonlJournal({ directory: temporary() });
    await expect(journal.open('')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(journal.open('x'.repeat(200))).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('says what the file system refused, and writes nothing more after that', async () => {
    const { directory, file } = await written();
    const blocked = jsonlJournal({ directory: file });
    await expect(blocked.open('r')).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringMatching(/Could not make a directory/),
    });
    const opened = await jsonlJournal({ directory }).open('r');
    rmSync(directory, { recursive: true });
    await expect(opened.append([callEntry(3)])).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(opened.append([callEntry(4)])).rejects.toMatchObject({ code: 'INTERNAL' });
    await opened.close();
    expect(existsSync(directory)).toBe(false);
  });
});

it('looks at no run that nobody has asked for', async () => {
  const directory = temporary();
  const journal = jsonlJournal({ directory });
  const { runId } = await trailFlow().run(START, { calls: [] }, { journal });
  mkdirSync(join(directory, 'other.jsonl'));
  expect(await journal.runIds({ startsWith: runId.slice(0, 8) })).toEqual([runId]);
  await expect(journal.runIds()).rejects.toMatchObject({ code: 'INTERNAL' });
});

describe('jsonlJournal in one file', () => {
  it('holds one run', async () => {
    const file = join(temporary(), 'deep', 'run.jsonl');
    const journal = jsonlJournal({ file });
    expect(await journal.runIds()).toEqual([]);
    const result = await trailFlow().run(START, { calls: [] }, { journal });
    expect(await journal.runIds()).toEqual([result.runId]);
    await expect(trailFlow().replay(result.runId, { journal })).resolves.toMatchObject({ state: result.state });
    expect(await journal.read('other')).toEqual([]);
    await expect(journal.open('other')).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(/holds run `run-/),
    });
    expect(readdirSync(join(file, '..'))).toEqual(['run.jsonl']);
  });
});
