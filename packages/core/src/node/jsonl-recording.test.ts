import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answer, fakeModel, requestOf } from '../model/testing/fake-model.ts';
import { withRecording } from '../model/with-recording.ts';
import { jsonlRecordings } from './jsonl-recording.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'askema-recording-'));
  file = join(folder, 'deep', 'calls.jsonl');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const record = (path = file) =>
  withRecording(
    fakeModel((request) => answer(`to ${request.sample}`)),
    { mode: 'record', store: jsonlRecordings({ file: path }) },
  );
const replay = () =>
  withRecording(
    fakeModel(() => {
      throw new Error('a replay must not call the model');
    }),
    { mode: 'replay', store: jsonlRecordings({ file }) },
  );
const lines = async () => (await readFile(file, 'utf8')).split('\n');

test('what was recorded is replayed by another process', async () => {
  await record().generate(requestOf('ä\n"x"'));
  expect((await replay().generate(requestOf('ä\n"x"'))).content).toEqual(answer('to 0').content);
});

test('parallel calls write whole lines, each once', async () => {
  const model = record();
  const samples = Array.from({ length: 50 }, (_, sample) => sample);
  await Promise.all(samples.map((sample) => model.generate(requestOf('x'.repeat(20_000), { sample }))));
  const written = (await lines()).slice(0, -1).map((line) => JSON.parse(line).request.sample);
  expect(written.sort((a, b) => a - b)).toEqual(samples);
});

test('a file is added to, also when its last line was never finished or has no line break', async () => {
  await record().generate(requestOf('a'));
  await appendFile(file, '{"schemaVersion":1,"ke');
  expect(await jsonlRecordings({ file }).load()).toHaveLength(1);
  await record().generate(requestOf('b'));
  await writeFile(file, (await readFile(file, 'utf8')).trimEnd());
  expect(await jsonlRecordings({ file }).load()).toHaveLength(2);
  await record().generate(requestOf('c'));
  const loaded = await jsonlRecordings({ file }).load();
  expect(loaded.map(({ request }) => JSON.stringify(request.messages).includes('"b"'))).toEqual([false, true, false]);
});

test.each([
  ['{"schemaVersion":2,"key":"x","request":{}}', /line 2 has schemaVersion 2, and this version reads 1/],
  ['{"schemaVersion":1}', /line 2 is no recording/],
  ['not JSON', /line 2 is no recording/],
])('a line %s is named', async (line, message) => {
  await record().generate(requestOf('a'));
  await appendFile(file, `${line}\n`);
  await expect(replay().generate(requestOf('a'))).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringMatching(message),
  });
});

test('a missing file says to record first', async () => {
  await expect(replay().generate(requestOf('a'))).rejects.toMatchObject({
    code: 'RECORDING_MISSING',
    message: expect.stringMatching(/no file .*calls\.jsonl\. Record it first/),
  });
});

test('a place that cannot be written is told, and the next call tries again', async () => {
  await writeFile(join(folder, 'deep'), 'a file, not a folder');
  const model = record();
  await expect(model.generate(requestOf('a'))).rejects.toThrow(/write the recordings .*calls\.jsonl/);
  await rm(join(folder, 'deep'));
  await model.generate(requestOf('b'));
  expect(await jsonlRecordings({ file }).load()).toHaveLength(1);
});
