import { describe, expect, test } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import type { ErrorCode } from '../errors/error-code.ts';
import type { LanguageModel, ModelCapabilities } from './language-model.ts';
import { answer, collect, fakeModel, listeningContext, requestOf, withoutStream } from './testing/fake-model.ts';
import { withFallback } from './with-fallback.ts';

const failing = (modelId: string, code: ErrorCode, details = {}, retryable = false) =>
  fakeModel(
    () => {
      throw new AskemaError(code, `${modelId} says ${code}.`, { retryable, details });
    },
    { modelId },
  );
const answering = (modelId: string, capabilities: ModelCapabilities = {}) =>
  fakeModel(() => answer(`by ${modelId}`), { modelId, capabilities });

describe('who answers', () => {
  test('the first, without a warning, when it can', async () => {
    const second = answering('b');
    const result = await withFallback([answering('a'), second]).generate(requestOf('x'));
    expect(result).toEqual(answer('by a'));
    expect(second.requests).toHaveLength(0);
  });

  test.each<ErrorCode>([
    'MODEL_AUTHENTICATION',
    'MODEL_CONTEXT_TOO_LONG',
    'MODEL_NOT_FOUND',
    'MODEL_RATE_LIMITED',
    'MODEL_REQUEST_FAILED',
    'MODEL_TIMEOUT',
    'MODEL_UNAVAILABLE',
    'DEPENDENCY_MISSING',
  ])('the next one after %s, and it says so', async (code) => {
    const { context, events } = listeningContext();
    const result = await withFallback([failing('a', code), answering('b')]).generate(requestOf('x', { context }));
    expect(result).toMatchObject({
      content: answer('by b').content,
      answeredBy: 'fake:b',
      warnings: [`fake:a failed with ${code}; fake:b answered.`],
    });
    expect(events).toEqual([{ type: 'model-fallback', data: { from: 'fake:a', to: 'fake:b', code, sample: 0 } }]);
  });

  test.each<ErrorCode>([
    'ABORTED',
    'BUDGET_EXCEEDED',
    'MODEL_REQUEST_INVALID',
    'MODEL_CONTENT_FILTERED',
    'RECORDING_MISSING',
    'INTERNAL',
  ])('nobody after %s', async (code) => {
    const second = answering('b');
    await expect(withFallback([failing('a', code), second]).generate(requestOf('x'))).rejects.toMatchObject({ code });
    expect(second.requests).toHaveLength(0);
  });

  test('nobody after an abort, whatever the model made of it', async () => {
    const controller = new AbortController();
    const first = fakeModel(() => {
      controller.abort();
      throw new AskemaError('MODEL_UNAVAILABLE', 'broken pipe');
    });
    const second = answering('b');
    const { context } = listeningContext({ signal: controller.signal });
    await expect(withFallback([first, second]).generate(requestOf('x', { context }))).rejects.toThrow('broken pipe');
    expect(second.requests).toHaveLength(0);
  });

  test('a bug is not hidden by the next model', async () => {
    const first = fakeModel(() => {
      throw new TypeError('undefined is not a function');
    });
    await expect(withFallback([first, answering('b')]).generate(requestOf('x'))).rejects.toThrow(TypeError);
  });
});

test('when none answers, the error names all of them and the shortest wait', async () => {
  const models = [
    failing('a', 'MODEL_RATE_LIMITED', { retryAfterMs: 9000 }, true),
    failing('b', 'MODEL_RATE_LIMITED', { retryAfterMs: 2000 }, true),
    failing('c', 'MODEL_AUTHENTICATION'),
  ];
  await expect(withFallback(models).generate(requestOf('x'))).rejects.toMatchObject({
    code: 'MODEL_AUTHENTICATION',
    retryable: true,
    message: expect.stringMatching(/None of 3.*fake:a: a says.*fake:b: b says.*fake:c: c says/),
    details: { retryAfterMs: 2000, failures: [{ model: 'fake:a', code: 'MODEL_RATE_LIMITED' }, {}, {}] },
  });
});

describe('stream', () => {
  test('changes the model while nothing has arrived, also to one that does not stream', async () => {
    const models = [failing('a', 'MODEL_UNAVAILABLE'), withoutStream(answering('b'))];
    const events = await collect(withFallback(models).stream!(requestOf('x')));
    expect(events[0]).toEqual({ type: 'text-delta', text: 'by b' });
    expect(events.at(-1)).toMatchObject({ type: 'finish', result: { answeredBy: 'fake:b' } });
  });

  test('does not change the model in the middle', async () => {
    const first: LanguageModel = {
      ...fakeModel(() => answer('x')),
      async *stream() {
        yield { type: 'text-delta', text: 'half' };
        throw new AskemaError('MODEL_UNAVAILABLE', 'broken pipe');
      },
    };
    const second = answering('b');
    await expect(collect(withFallback([first, second]).stream!(requestOf('x')))).rejects.toThrow('broken pipe');
    expect(second.requests).toHaveLength(0);
  });

  test('is there when one of the models streams', () => {
    expect('stream' in withFallback([withoutStream(answering('a')), answering('b')])).toBe(true);
    expect('stream' in withFallback([withoutStream(answering('a'))])).toBe(false);
  });
});

test('has the name of the first and the capabilities of all', () => {
  const a = answering('a', { structuredOutput: true, tools: true, contextTokens: 1000, reasoning: true });
  const b = answering('b', { structuredOutput: false, tools: true, contextTokens: 500 });
  expect(withFallback([a, b])).toMatchObject({
    provider: 'fake',
    modelId: 'a',
    capabilities: { structuredOutput: false, tools: true, contextTokens: 500, reasoning: undefined },
  });
});

test('without a model it is refused', () => {
  expect(() => withFallback([])).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
