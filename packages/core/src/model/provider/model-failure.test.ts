import { expect, test } from 'vitest';
import { AskemaError } from '../../errors/askema-error.ts';
import { startCallDeadline } from './call-deadline.ts';
import {
  type FailedCall,
  modelFailure,
  retryAfterMs,
  type VendorFailure,
  VendorFailureError,
} from './model-failure.ts';

const KEY = 'local-key-1';

function callWith(options: Partial<FailedCall> = {}): FailedCall {
  const deadline = startCallDeadline({ signal: undefined, timeoutMs: 60_000 });
  deadline.end();
  return {
    model: 'openai:gpt-x',
    url: 'https://models.example/v1',
    timeoutMs: 60_000,
    deadline,
    secrets: [KEY],
    rules: [],
    readVendorError: (error) => (error as { vendor?: VendorFailure }).vendor,
    ...options,
  };
}
const vendorError = (vendor: VendorFailure) => Object.assign(new Error(vendor.message), { vendor });
const withCode = (code: string, message = 'fetch failed') => Object.assign(new Error(message), { code });

test.each([
  [401, 'MODEL_AUTHENTICATION', false],
  [402, 'MODEL_RATE_LIMITED', false],
  [403, 'MODEL_AUTHENTICATION', false],
  [404, 'MODEL_NOT_FOUND', false],
  [408, 'MODEL_TIMEOUT', true],
  [413, 'MODEL_CONTEXT_TOO_LONG', false],
  [422, 'MODEL_REQUEST_INVALID', false],
  [429, 'MODEL_RATE_LIMITED', true],
  [500, 'MODEL_UNAVAILABLE', true],
  [529, 'MODEL_UNAVAILABLE', true],
] as const)('HTTP %i is %s', (status, code, retryable) => {
  const error = modelFailure(callWith(), vendorError({ status, vendorCodes: [], message: 'no' }));
  expect(error).toMatchObject({ code, retryable, details: { status } });
  expect(error.message).toContain(`openai:gpt-x failed (HTTP ${status}): no.`);
});

test('a rule of the provider goes before the status, and needs all that it names', () => {
  const rules = [
    { status: 429, vendorCode: 'quota', code: 'MODEL_RATE_LIMITED', retryable: false, advice: 'Pay.' },
    { status: 400, pattern: 'too long', code: 'MODEL_CONTEXT_TOO_LONG', retryable: false, advice: 'Send less.' },
  ] as const;
  const failWith = (vendor: VendorFailure) => modelFailure(callWith({ rules }), vendorError(vendor));
  expect(failWith({ status: 429, vendorCodes: ['x', 'quota'], message: 'no' }).retryable).toBe(false);
  expect(failWith({ status: 429, vendorCodes: ['x'], message: 'no' }).retryable).toBe(true);
  expect(failWith({ status: 400, vendorCodes: [], message: 'Prompt is TOO LONG' }).code).toBe('MODEL_CONTEXT_TOO_LONG');
  expect(failWith({ status: 400, vendorCodes: [], message: 'no' }).code).toBe('MODEL_REQUEST_INVALID');
});

test('headers: how long to wait, and a vendor that says not to retry', () => {
  const headers = new Headers({ 'retry-after': '3', 'x-should-retry': 'false' });
  const error = modelFailure(callWith(), vendorError({ status: 429, vendorCodes: ['rate'], message: 'no', headers }));
  expect(error).toMatchObject({ retryable: false, details: { retryAfterMs: 3000, vendorCode: 'rate' } });
});

test('a refused connection on this machine names the URL and says that the server may not run', () => {
  const url = 'http://127.0.0.1:11434/v1';
  const refused = new Error('Connection error.', { cause: new AggregateError([withCode('ECONNREFUSED')]) });
  const error = modelFailure(callWith({ url }), refused);
  expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: false });
  expect(error.message).toContain('http://127.0.0.1:11434/v1');
  expect(error.message).toContain('may not be running');
  expect(modelFailure(callWith(), refused)).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
});

test.each([
  ['ECONNRESET', 'MODEL_UNAVAILABLE', true],
  ['UND_ERR_SOCKET', 'MODEL_UNAVAILABLE', true],
  ['EAI_AGAIN', 'MODEL_UNAVAILABLE', true],
  ['ENOTFOUND', 'MODEL_UNAVAILABLE', false],
  ['UND_ERR_HEADERS_TIMEOUT', 'MODEL_TIMEOUT', true],
  ['CERT_HAS_EXPIRED', 'MODEL_UNAVAILABLE', false],
] as const)('%s deep in the causes is %s', (code, expected, retryable) => {
  const error = new Error('Connection error.', { cause: new TypeError('fetch failed', { cause: withCode(code) }) });
  expect(modelFailure(callWith(), error)).toMatchObject({ code: expected, retryable, details: { vendorCode: code } });
});

test('a fault without a code is told by its deepest cause', () => {
  const error = new TypeError('fetch failed', { cause: new Error('odd socket') });
  expect(modelFailure(callWith(), error)).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    details: { vendorCode: 'odd socket' },
  });
});

test('a URL that fetch does not call is a mistake of the configuration, not to be tried again', () => {
  const error = new TypeError('fetch failed', { cause: new Error('bad port') });
  expect(modelFailure(callWith(), error)).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    retryable: false,
    message: expect.stringContaining('Correct `baseURL`'),
  });
});

test('the status that an SDK puts in front of a body is not told twice', () => {
  const failure = { status: 500, vendorCodes: [], message: '500 oops' };
  const error = modelFailure(callWith(), new VendorFailureError(failure));
  expect(error.message).toContain('(HTTP 500): oops.');
});

test('a body that ends early is a broken connection; one that is no JSON may be tried again', () => {
  expect(modelFailure(callWith(), new TypeError('terminated'))).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    retryable: true,
  });
  expect(modelFailure(callWith(), new SyntaxError('Unexpected end of JSON input'))).toMatchObject({
    code: 'MODEL_REQUEST_FAILED',
    retryable: true,
  });
});

test('abort and deadline go before whatever error they caused', () => {
  const controller = new AbortController();
  const aborted = startCallDeadline({ signal: controller.signal, timeoutMs: 60_000 });
  controller.abort();
  expect(modelFailure(callWith({ deadline: aborted }), withCode('ECONNRESET')).code).toBe('ABORTED');
  const late = { signal: new AbortController().signal, stoppedBy: () => 'deadline' as const, end: () => {} };
  expect(modelFailure(callWith({ deadline: late, timeoutMs: 50 }), withCode('ECONNRESET'))).toMatchObject({
    code: 'MODEL_TIMEOUT',
    retryable: true,
    message: expect.stringContaining('50 ms'),
  });
});

test('our own errors pass, others are INTERNAL', () => {
  const ours = new AskemaError('MODEL_NOT_FOUND', 'x');
  expect(modelFailure(callWith(), ours)).toBe(ours);
  expect(modelFailure(callWith(), new RangeError('bug'))).toMatchObject({ code: 'INTERNAL' });
});

test('a key that the server repeats stands nowhere in the error', () => {
  const said = vendorError({ status: 401, vendorCodes: [], message: `Incorrect API key provided: ${KEY}` });
  const error = modelFailure(callWith(), said);
  expect(error.message).toContain('[redacted]');
  const everything = [JSON.stringify(error), error.stack, String(error.cause), (error.cause as Error).stack].join();
  expect(everything).not.toContain(KEY);
});

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each([
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
  [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
  [{ 'retry-after-ms': '250', 'retry-after': '2' }, 250],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-3' }, undefined],
  [{ 'retry-after-ms': 'x', 'retry-after': '1' }, 1000],
  [{}, undefined],
])('%o asks for %s', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
});
