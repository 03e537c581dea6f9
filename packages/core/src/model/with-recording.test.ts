import { describe, expect, test } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import { type ModelRequest, systemMessage, userMessage } from './language-model.ts';
import { memoryRecordings } from './recording.ts';
import { answer, collect, fakeModel, listeningContext, requestOf, tokens } from './testing/fake-model.ts';
import { withRecording } from './with-recording.ts';

const unused = fakeModel(() => {
  throw new Error('a replay must not call the model');
});

async function recorded(requests: readonly ModelRequest[]) {
  const store = memoryRecordings();
  const model = fakeModel((request, index) => answer(`${index}`, { usage: tokens(request.sample, index) }));
  for (const request of requests) await withRecording(model, { mode: 'record', store }).generate(request);
  return {
    store,
    replay: withRecording(unused, {
      mode: 'replay',
      store: memoryRecordings(JSON.parse(JSON.stringify(store.recordings))),
    }),
  };
}

describe('replay', () => {
  test('gives what was recorded, with the usage of then, in any order', async () => {
    const { store, replay } = await recorded([requestOf('x'), requestOf('y'), requestOf('x', { sample: 1 })]);
    expect(store.recordings.map((recording) => recording.schemaVersion)).toEqual([1, 1, 1]);
    expect(await replay.generate(requestOf('x', { sample: 1 }))).toEqual(answer('2', { usage: tokens(1, 2) }));
    expect((await replay.generate(requestOf('x'))).content).toEqual(answer('0').content);
    expect((await replay.generate(requestOf('y'))).content).toEqual(answer('1').content);
  });

  test('answers a repeated request in the order of then, and stays with the last', async () => {
    const { replay } = await recorded([requestOf('x'), requestOf('x')]);
    const texts = [];
    for (let call = 0; call < 3; call++) texts.push((await replay.generate(requestOf('x'))).content[0]);
    expect(texts).toMatchObject([{ text: '0' }, { text: '1' }, { text: '1' }]);
  });

  test('fails as the call failed, but not with an abort of then', async () => {
    const store = memoryRecordings();
    const errors = [new AskemaError('ABORTED', 'stopped'), new AskemaError('MODEL_CONTENT_FILTERED', 'no')];
    const model = fakeModel((_request, index) => {
      throw errors[index]!;
    });
    const recording = withRecording(model, { mode: 'record', store });
    await expect(recording.generate(requestOf('x'))).rejects.toThrow('stopped');
    await expect(recording.generate(requestOf('x'))).rejects.toThrow('no');
    expect(store.recordings).toHaveLength(1);
    await expect(withRecording(unused, { mode: 'replay', store }).generate(requestOf('x'))).rejects.toMatchObject({
      code: 'MODEL_CONTENT_FILTERED',
      message: 'no',
    });
  });

  test('records and replays streams', async () => {
    const store = memoryRecordings();
    const model = fakeModel(() => answer('text'));
    const live = await collect(withRecording(model, { mode: 'record', store }).stream!(requestOf('x')));
    expect(await collect(withRecording(unused, { mode: 'replay', store }).stream!(requestOf('x')))).toEqual(live);
    expect((await withRecording(unused, { mode: 'replay', store }).generate(requestOf('x'))).content).toEqual(
      answer('text').content,
    );
  });

  test('of an aborted call is ABORTED', async () => {
    const { replay } = await recorded([requestOf('x')]);
    const { context } = listeningContext({ signal: AbortSignal.abort() });
    await expect(replay.generate(requestOf('x', { context }))).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('a request that was never recorded', () => {
  const long = (last: string) => [
    systemMessage('You write SQL.'),
    userMessage(`CREATE TABLE customer (id INTEGER);\nQuestion: ${last}\nAnswer in YAML.`),
  ];
  const far = requestOf('', { messages: [userMessage('Something else, quite different from it all.')] });

  test.each<[string, Partial<ModelRequest>, RegExp]>([
    [
      'another word',
      { messages: long('How many orders?') },
      /message 2 \(user\) at line 2: recorded "Question: How many customers\?.*", asked "Question: How many orders\?.*"/,
    ],
    [
      'another message',
      { messages: [...long('How many customers?'), userMessage('and?')] },
      /it has 2 messages, this request has 3/,
    ],
    [
      'another role',
      { messages: [userMessage('You write SQL.'), long('How many customers?')[1]!] },
      /message 1 \(system\) has the role user now/,
    ],
    ['another setting', { temperature: 1 }, /`temperature` recorded "0", asked "1"/],
    ['another sample', { sample: 3 }, /`sample` recorded "0", asked "3"/],
    ['a setting less', { temperature: undefined }, /`temperature` recorded "0", asked "\(nothing\)"/],
  ])('%s: says what differs from the nearest', async (_name, overrides, difference) => {
    const known = requestOf('', { messages: long('How many customers?'), temperature: 0 });
    const { replay } = await recorded([far, known, far]);
    const asked = replay.generate({ ...known, ...overrides });
    await expect(asked).rejects.toMatchObject({
      code: 'RECORDING_MISSING',
      retryable: false,
      message: expect.stringMatching(/The nearest of 3 \(number 2\) differs: /),
    });
    await expect(asked).rejects.toThrow(difference);
  });

  test('another model is named', async () => {
    const { store } = await recorded([requestOf('x')]);
    const other = withRecording(
      fakeModel(() => answer(''), { modelId: 'two' }),
      { mode: 'replay', store },
    );
    await expect(other.generate(requestOf('x'))).rejects.toThrow(/`model` recorded "fake:one", asked "fake:two"/);
  });

  test('no prompt stands in full in the message', async () => {
    const { replay } = await recorded([requestOf(`a${'x'.repeat(5000)}`)]);
    const error = await replay.generate(requestOf(`b${'y'.repeat(5000)}`)).catch((thrown: Error) => thrown);
    expect((error as Error).message.length).toBeLessThan(600);
  });

  test('an empty store says so', async () => {
    await expect(
      withRecording(unused, { mode: 'replay', store: memoryRecordings() }).generate(requestOf('x')),
    ).rejects.toThrow(/holds no recordings/);
  });
});

test('an unknown mode is refused', () => {
  expect(() => withRecording(unused, { mode: 'auto' as 'record', store: memoryRecordings() })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID' }),
  );
});
