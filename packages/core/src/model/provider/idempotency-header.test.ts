import { expect, it } from 'vitest';
import { createCallContext } from '../../context/call-context.ts';
import type { ModelRequest } from '../language-model.ts';
import { idempotencyHeader } from './idempotency-header.ts';

const model = { provider: 'openai', modelId: 'm' };
const request = (runId: string, text = 'How many?', sample = 0): ModelRequest => ({
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  sample,
  context: createCallContext({ runId, path: 'größe/call#1' }),
});

it('is the same for the same call of a run, also in another process, and fits a header', () => {
  const header = idempotencyHeader(model, request('run-1'));
  expect(header).toEqual(idempotencyHeader(model, request('run-1')));
  expect(header['Idempotency-Key']).toMatch(/^[0-9a-f]{64}$/);
});

it('tells runs, samples, prompts and models apart', () => {
  const keys = [
    idempotencyHeader(model, request('run-1')),
    idempotencyHeader(model, request('run-2')),
    idempotencyHeader(model, request('run-1', 'How many?', 1)),
    idempotencyHeader(model, request('run-1', 'How few?')),
    idempotencyHeader({ ...model, modelId: 'n' }, request('run-1')),
  ];
  expect(new Set(keys.map((header) => header['Idempotency-Key'])).size).toBe(5);
});
