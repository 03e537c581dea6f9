import { APIError } from '@anthropic-ai/sdk';
import { type AskemaError, createCallContext, runCall } from '@askema/core';
import { expect, test } from 'vitest';
import { ANTHROPIC_FAILURE_RULES } from './failure-rules.ts';
import { readVendorError } from './read-vendor-error.ts';

/** What a call rejects with when the SDK throws. */
async function failedCall(site: Parameters<typeof runCall>[0], thrown: Error): Promise<AskemaError> {
  const request = { messages: [], sample: 0, context: createCallContext() };
  return runCall(site, request, () => Promise.reject(thrown)).then(
    () => expect.unreachable(),
    (error: AskemaError) => error,
  );
}

/** The error that the SDK makes of a response, or of an error event inside a stream, as ours. */
function failureOf(status: number | undefined, error: { type: string; message?: string; details?: object }) {
  const body = { type: 'error', error: { message: 'x', ...error } };
  const headers = new Headers({ 'request-id': 'req_1' });
  const thrown =
    status === undefined
      ? new APIError(undefined, body, undefined, headers)
      : APIError.generate(status, body, undefined, headers);
  const site = { model: 'anthropic:m', url: 'https://api.anthropic.com', timeoutMs: 1000, secrets: [] };
  return failedCall({ ...site, rules: ANTHROPIC_FAILURE_RULES, readVendorError }, thrown);
}

test.each([
  [401, { type: 'authentication_error' }, 'MODEL_AUTHENTICATION', false],
  [403, { type: 'permission_error' }, 'MODEL_AUTHENTICATION', false],
  [402, { type: 'billing_error' }, 'MODEL_RATE_LIMITED', false],
  [400, { type: 'invalid_request_error', message: 'Your credit balance is too low' }, 'MODEL_RATE_LIMITED', false],
  [429, { type: 'rate_limit_error' }, 'MODEL_RATE_LIMITED', true],
  [
    429,
    { type: 'rate_limit_error', details: { error_code: 'enforced_spend_limit_reached' } },
    'MODEL_RATE_LIMITED',
    false,
  ],
  [404, { type: 'not_found_error', message: 'model: claude-x' }, 'MODEL_NOT_FOUND', false],
  [413, { type: 'request_too_large' }, 'MODEL_CONTEXT_TOO_LONG', false],
  [400, { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' }, 'MODEL_CONTEXT_TOO_LONG', false],
  [
    400,
    { type: 'invalid_request_error', message: 'input length and `max_tokens` exceed context limit: 9' },
    'MODEL_CONTEXT_TOO_LONG',
    false,
  ],
  [
    400,
    { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' },
    'MODEL_CONTENT_FILTERED',
    false,
  ],
  [400, { type: 'invalid_request_error', message: 'messages: required' }, 'MODEL_REQUEST_INVALID', false],
  [529, { type: 'overloaded_error' }, 'MODEL_UNAVAILABLE', true],
  [504, { type: 'timeout_error' }, 'MODEL_TIMEOUT', true],
  [undefined, { type: 'overloaded_error' }, 'MODEL_UNAVAILABLE', true],
  [undefined, { type: 'rate_limit_error' }, 'MODEL_RATE_LIMITED', true],
] as const)('%s %j is %s', async (status, error, code, retryable) => {
  expect(await failureOf(status, error)).toMatchObject({ code, retryable });
});

test('what the vendor said, its code and the id of the request are kept', async () => {
  expect(await failureOf(529, { type: 'overloaded_error', message: 'Overloaded' })).toMatchObject({
    message: expect.stringContaining('Overloaded.'),
    details: { status: 529, vendorCode: 'overloaded_error', requestId: 'req_1' },
  });
});

test('a server that turns a key down without saying so in words of Anthropic: where to put the key', async () => {
  const call = await failureOf(401, { type: 'unauthorized', message: 'no' });
  expect(call.code).toBe('MODEL_AUTHENTICATION');
  expect(call.message).toContain('ANTHROPIC_API_KEY');
});
