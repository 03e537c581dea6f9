import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AskemaError, createCallContext, type ModelRequest, userMessage } from '@askema/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordedModel } from './recorded-model.ts';
import { scriptedModel } from './scripted-model.ts';

const requestOf = (text: string, signal?: AbortSignal): ModelRequest => ({
  messages: [userMessage(text)],
  sample: 0,
  context: createCallContext({ path: 'flow@1/step#1', signal }),
});
const textOfResult = async (model: ReturnType<typeof recordedModel>, text: string) =>
  (await model.generate(requestOf(text))).content;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-recorded-'));
  file = join(folder, 'calls.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('records what it does not know, once, and answers from the file without a model from then on', async () => {
  const real = scriptedModel(['one', 'two'], { provider: 'vendor', modelId: 'large' });
  const recording = recordedModel(file, { record: real });
  expect(await textOfResult(recording, 'a')).toEqual([{ type: 'text', text: 'one' }]);
  const again = recordedModel(file, { record: real });
  expect(await textOfResult(again, 'a')).toEqual([{ type: 'text', text: 'one' }]);
  expect(await textOfResult(again, 'b')).toEqual([{ type: 'text', text: 'two' }]);
  expect(real.requests).toHaveLength(2);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);

  const replay = recordedModel(pathToFileURL(file));
  expect([replay.provider, replay.modelId]).toEqual(['vendor', 'large']);
  expect(await textOfResult(replay, 'b')).toEqual([{ type: 'text', text: 'two' }]);
  const events = [];
  for await (const event of replay.stream(requestOf('a'))) events.push(event.type);
  expect(events.at(-1)).toBe('finish');
  expect(replay.requests).toHaveLength(2);
});

test('says which prompt is missing, how the nearest differs, and how to record it', async () => {
  await recordedModel(file, { record: scriptedModel(['one']) }).generate(requestOf('How many customers are there?'));
  await expect(recordedModel(file).generate(requestOf('How many products are there?'))).rejects.toMatchObject({
    code: 'RECORDING_MISSING',
    message: expect.stringMatching(/nearest of 1.*customers.*calls\.jsonl.*record: model.*How many products/s),
    details: { path: 'flow@1/step#1' },
  });
});

test('a file that is not there is reported by the first call; one that is none at once', async () => {
  const model = recordedModel(file);
  await expect(model.generate(requestOf('a'))).rejects.toMatchObject({
    code: 'RECORDING_MISSING',
    message: expect.stringContaining('record: model'),
  });
  writeFileSync(file, 'hello\n');
  expect(() => recordedModel(file)).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
  writeFileSync(file, '');
  await expect(recordedModel(file).generate(requestOf('a'))).rejects.toMatchObject({ code: 'RECORDING_MISSING' });
});

test('errors are replayed as errors; an abort ends a call', async () => {
  const failing = scriptedModel([new AskemaError('MODEL_CONTENT_FILTERED', 'no')]);
  await expect(recordedModel(file, { record: failing }).generate(requestOf('a'))).rejects.toThrow('no');
  const replay = recordedModel(file);
  await expect(replay.generate(requestOf('a'))).rejects.toMatchObject({ code: 'MODEL_CONTENT_FILTERED' });
  await expect(replay.generate(requestOf('a', AbortSignal.abort()))).rejects.toMatchObject({ code: 'ABORTED' });
});
