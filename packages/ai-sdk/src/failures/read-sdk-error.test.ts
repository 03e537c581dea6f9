import {
  APICallError,
  EmptyResponseBodyError,
  InvalidPromptError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  NoSuchModelError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { fromAiSdk } from '../from-ai-sdk.ts';
import { requestOf } from '../test-support/mock-models.ts';

const URL = 'https://models.example/v1/chat';

/** What a call rejects with when the provider throws. */
function failureOf(thrown: unknown): Promise<unknown> {
  const doGenerate = () => Promise.reject(thrown);
  return fromAiSdk(new MockLanguageModelV4({ provider: 'mock.chat', modelId: 'm', doGenerate }))
    .generate(requestOf())
    .catch((error: unknown) => error);
}

function response(
  statusCode: number,
  body: unknown,
  parts: Partial<ConstructorParameters<typeof APICallError>[0]> = {},
) {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body);
  return new APICallError({ message: 'Failed', url: URL, requestBodyValues: {}, statusCode, responseBody, ...parts });
}

test.each<[status: number, body: unknown, code: string, retryable: boolean]>([
  [429, { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } }, 'MODEL_RATE_LIMITED', true],
  [429, { error: { code: 'insufficient_quota', message: 'Quota.' } }, 'MODEL_RATE_LIMITED', false],
  [429, { error: { status: 'RESOURCE_EXHAUSTED', code: 429, message: 'Quota.' } }, 'MODEL_RATE_LIMITED', true],
  [
    400,
    { error: { status: 'INVALID_ARGUMENT', message: 'Wrong.', details: [{ reason: 'API_KEY_INVALID' }] } },
    'MODEL_AUTHENTICATION',
    false,
  ],
  [402, { type: 'error', error: { type: 'billing_error', message: 'Pay.' } }, 'MODEL_RATE_LIMITED', false],
  [400, { error: { code: 'context_length_exceeded', message: 'Long.' } }, 'MODEL_CONTEXT_TOO_LONG', false],
  [400, { error: { message: 'Input is too long for requested model.' } }, 'MODEL_CONTEXT_TOO_LONG', false],
  [400, { error: { code: 'content_filter', message: 'No.' } }, 'MODEL_CONTENT_FILTERED', false],
  [404, { error: { code: 'model_not_found', message: 'No such model.' } }, 'MODEL_NOT_FOUND', false],
  [400, { error: { message: 'The field `x` is odd.' } }, 'MODEL_REQUEST_INVALID', false],
  [401, { error: { code: 'invalid_api_key', message: 'Wrong.' } }, 'MODEL_AUTHENTICATION', false],
  [403, { error: { message: 'Not from here.' } }, 'MODEL_AUTHENTICATION', false],
  [408, '', 'MODEL_TIMEOUT', true],
  [502, '<html>Bad gateway</html>', 'MODEL_UNAVAILABLE', true],
  [529, { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } }, 'MODEL_UNAVAILABLE', true],
])('10: %s %j is %s', async (status, body, code, retryable) => {
  expect(await failureOf(response(status, body))).toMatchObject({ code, retryable, details: { status } });
});

test('10: the sentence, the code, the id of the request and the time to wait are kept', async () => {
  const responseHeaders = { 'retry-after': '2', 'x-request-id': 'req-1' };
  const body = { error: { type: 'requests', code: 'rate_limit_exceeded', message: 'Slow down.' } };
  expect(await failureOf(response(429, body, { responseHeaders }))).toMatchObject({
    message: expect.stringContaining('mock:m failed (HTTP 429): Slow down.'),
    details: { status: 429, vendorCode: 'rate_limit_exceeded', requestId: 'req-1', retryAfterMs: 2000 },
  });
  // Google says it in the body. A header is nearer.
  const google = {
    error: { status: 'RESOURCE_EXHAUSTED', message: 'Quota.', details: [null, { retryDelay: '34.5s' }] },
  };
  expect(await failureOf(response(429, google))).toMatchObject({ details: { retryAfterMs: 34_500 } });
  expect(await failureOf(response(429, google, { responseHeaders }))).toMatchObject({
    details: { retryAfterMs: 2000 },
  });
  const milliseconds = { responseHeaders: { 'retry-after-ms': '250' } };
  expect(await failureOf(response(503, '', milliseconds))).toMatchObject({ details: { retryAfterMs: 250 } });
});

test.each<[error: Error, code: string, retryable: boolean]>([
  [new LoadAPIKeyError({ message: 'OpenAI API key is missing.' }), 'MODEL_AUTHENTICATION', false],
  [new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' }), 'MODEL_NOT_FOUND', false],
  [new UnsupportedFunctionalityError({ functionality: 'tools' }), 'CAPABILITY_UNSUPPORTED', false],
  [new InvalidPromptError({ prompt: [], message: 'No prompt.' }), 'MODEL_REQUEST_INVALID', false],
  [new EmptyResponseBodyError(), 'MODEL_UNAVAILABLE', true],
  [new InvalidResponseDataError({ data: {}, message: 'No choices.' }), 'MODEL_REQUEST_FAILED', false],
  [new JSONParseError({ text: '{', cause: new SyntaxError('end') }), 'MODEL_REQUEST_FAILED', true],
  [response(200, '{', { cause: new JSONParseError({ text: '{', cause: 'x' }) }), 'MODEL_REQUEST_FAILED', true],
  [response(200, '{}', { cause: new TypeValidationError({ value: {}, cause: 'x' }) }), 'MODEL_REQUEST_FAILED', false],
  [response(200, '{', { cause: new TypeError('terminated') }), 'MODEL_UNAVAILABLE', true],
  [new Error('a bug'), 'INTERNAL', false],
])('10: %s is %s', async (error, code, retryable) => {
  expect(await failureOf(error)).toMatchObject({ code, retryable });
});

test('10: the error of a gateway is that of the response which it wraps', async () => {
  const cause = response(429, {}, { responseHeaders: { 'retry-after': '3' } });
  const error = Object.assign(new Error('Slow down.', { cause }), { statusCode: 429, type: 'rate_limit_exceeded' });
  expect(await failureOf(error)).toMatchObject({
    code: 'MODEL_RATE_LIMITED',
    retryable: true,
    details: { status: 429, vendorCode: 'rate_limit_exceeded', retryAfterMs: 3000 },
  });
});

test('10: a connection that fails says where', async () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const error = new APICallError({ message: 'Cannot connect', url: URL, requestBodyValues: {}, cause: refused });
  expect(await failureOf(error)).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    retryable: true,
    message: expect.stringContaining(URL),
  });
});

test('10: neither a key, nor a prompt, nor an answer that could not be read stands in an error', async () => {
  // Not in the form of a key: those are taken out of every error.
  const secret = 'the canary of a customer';
  const repeated = { error: { message: `Incorrect API key provided: ${secret}` } };
  const errors = [
    response(400, { error: { ...repeated.error, details: [{ reason: 'API_KEY_INVALID' }] } }),
    response(401, repeated, { message: `Incorrect: ${secret}`, requestBodyValues: { prompt: secret } }),
    response(500, {}, { requestBodyValues: { prompt: secret } }),
    response(200, secret, { cause: new JSONParseError({ text: secret, cause: new SyntaxError('x') }) }),
    new TypeValidationError({ value: { secret }, cause: 'x' }),
  ];
  for (const error of errors) {
    const failed = (await failureOf(error)) as Error;
    const { message, stack, cause } = failed;
    expect([message, stack, JSON.stringify(failed), String(cause), (cause as Error).stack].join()).not.toContain(
      secret,
    );
  }
});
