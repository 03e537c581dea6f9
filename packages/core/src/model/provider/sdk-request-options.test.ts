import { expect, it } from 'vitest';
import { createCallContext } from '../../context/call-context.ts';
import type { ModelRequest } from '../language-model.ts';
import { sdkRequestOptions } from './sdk-request-options.ts';

const settings = { provider: 'openai', model: 'm', timeoutMs: 1_000 };
const { signal } = new AbortController();
const request = (runId: string, text = 'How many?', sample = 0): ModelRequest => ({
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  sample,
  context: createCallContext({ runId, path: 'größe/call#1' }),
});
const keyOf = (given: ModelRequest, model = 'm'): string =>
  sdkRequestOptions({ ...settings, model }, given, signal).headers['Idempotency-Key'];

it('has the same key for the same call of a run, also in another process, and one that fits a header', () => {
  expect(keyOf(request('run-1'))).toBe(keyOf(request('run-1')));
  expect(keyOf(request('run-1'))).toMatch(/^[0-9a-f]{64}$/);
});

it('tells runs, samples, prompts and models apart', () => {
  const keys = [
    keyOf(request('run-1')),
    keyOf(request('run-2')),
    keyOf(request('run-1', 'How many?', 1)),
    keyOf(request('run-1', 'How few?')),
    keyOf(request('run-1'), 'n'),
  ];
  expect(new Set(keys).size).toBe(5);
});

it('lets no SDK retry, nor its timer come before ours or fire at once', () => {
  const options = (timeoutMs: number) => sdkRequestOptions({ ...settings, timeoutMs }, request('run-1'), signal);
  expect(options(1_000)).toMatchObject({ signal, maxRetries: 0, timeout: 61_000 });
  expect(options(Number.POSITIVE_INFINITY).timeout).toBe(2 ** 31 - 1);
});
