import { type AskemaError, createCallContext, runCall } from '@askema/core';
import { APIError } from 'openai';
import { expect, test } from 'vitest';
import { OPENAI_FAILURE_RULES } from './failure-rules.ts';
import { readVendorError } from './read-vendor-error.ts';

/** What a call rejects with when the SDK throws. */
async function failedCall(site: Parameters<typeof runCall>[0], thrown: Error): Promise<AskemaError> {
  const request = { messages: [], sample: 0, context: createCallContext() };
  return runCall(site, request, () => Promise.reject(thrown)).then(
    () => expect.unreachable(),
    (error: AskemaError) => error,
  );
}

/** The error that the SDK makes of a response, as ours. */
function failureOf(status: number | undefined, body: object | undefined, headers = new Headers()) {
  const error = APIError.generate(status, { error: body }, undefined, headers);
  const inStream = new APIError(undefined, body, undefined, headers);
  const site = { model: 'openai:m', url: 'https://api.openai.com/v1', timeoutMs: 1000, secrets: [] };
  return failedCall({ ...site, rules: OPENAI_FAILURE_RULES, readVendorError }, status === undefined ? inStream : error);
}

test.each([
  [429, { code: 'insufficient_quota', type: 'insufficient_quota', message: 'quota' }, 'MODEL_RATE_LIMITED', false],
  [429, { code: 'rate_limit_exceeded', type: 'tokens', message: 'Rate limit reached' }, 'MODEL_RATE_LIMITED', true],
  [
    429,
    { code: 'rate_limit_exceeded', type: 'tokens', message: 'Request too large for m' },
    'MODEL_RATE_LIMITED',
    false,
  ],
  [400, { code: 'context_length_exceeded', message: 'x' }, 'MODEL_CONTEXT_TOO_LONG', false],
  [400, { code: 400, type: 'exceed_context_size_error', message: 'x' }, 'MODEL_CONTEXT_TOO_LONG', false],
  [400, { message: "This model's maximum context length is 4096 tokens" }, 'MODEL_CONTEXT_TOO_LONG', false],
  [400, { code: 'content_filter', message: 'x' }, 'MODEL_CONTENT_FILTERED', false],
  [400, { code: 'invalid_prompt', message: 'flagged' }, 'MODEL_CONTENT_FILTERED', false],
  [404, { message: 'model "x" not found, try pulling it first' }, 'MODEL_NOT_FOUND', false],
  [400, { message: 'model `x` does not exist' }, 'MODEL_NOT_FOUND', false],
  [400, { message: 'Unsupported parameter', code: 'unsupported_parameter' }, 'MODEL_REQUEST_INVALID', false],
  [503, { message: 'loading model' }, 'MODEL_UNAVAILABLE', true],
  [undefined, { code: 'server_error', message: 'in the stream' }, 'MODEL_UNAVAILABLE', true],
  [undefined, { code: 'rate_limit_exceeded', message: 'in the stream' }, 'MODEL_RATE_LIMITED', true],
] as const)('%s %j is %s', async (status, body, code, retryable) => {
  expect(await failureOf(status, body)).toMatchObject({ code, retryable });
});

test('what the vendor said, its code and the id of the request are kept', async () => {
  const headers = new Headers({ 'x-request-id': 'req_1', 'retry-after': '2' });
  expect(await failureOf(429, { code: 'rate_limit_exceeded', message: 'Slow down' }, headers)).toMatchObject({
    message: expect.stringContaining('Slow down'),
    details: { status: 429, vendorCode: 'rate_limit_exceeded', requestId: 'req_1', retryAfterMs: 2000 },
  });
});
