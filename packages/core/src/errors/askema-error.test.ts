import { describe, expect, test } from 'vitest';
import {
  AskemaError,
  isAskemaError,
  isSerializedError,
  type SerializedError,
  throwIfAborted,
  toAskemaError,
} from './askema-error.ts';

const KEY = 'sk-proj-AbCd1234EfGh5678IjKl';

describe('recognition', () => {
  test('an error of another installed copy is recognised by its marker', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('askema.error')]: true, code: 'ABORTED' });
    expect(isAskemaError(foreign)).toBe(true);
    expect(toAskemaError(foreign)).toBe(foreign);
  });

  test.each([[new Error('x')], [null], [undefined], ['ABORTED'], [{ code: 'ABORTED' }]])('%o is none', (value) => {
    expect(isAskemaError(value)).toBe(false);
  });

  test('structured clone loses the class, the JSON form does not', () => {
    const error = new AskemaError('QUERY_TIMEOUT', 'The query took too long.', { retryable: true });
    expect(isAskemaError(structuredClone(error))).toBe(false);
    const back = AskemaError.fromJSON(structuredClone(error.toJSON()));
    expect(isAskemaError(back)).toBe(true);
    expect(back).toMatchObject({ code: 'QUERY_TIMEOUT', retryable: true, message: 'The query took too long.' });
  });
});

describe('JSON', () => {
  test('there and back keeps everything', () => {
    const error = new AskemaError('QUERY_FAILED', 'No column `nmae`.', {
      details: {
        sql: 'SELECT nmae FROM t',
        position: { offset: 7, line: 1, column: 8 },
        nearestNames: ['name'],
        errorClass: 'identifier',
      },
      cause: new Error('SQLITE_ERROR'),
    });
    const json = JSON.parse(JSON.stringify(error)) as SerializedError;
    expect(isSerializedError(json)).toBe(true);
    expect(AskemaError.fromJSON(json).toJSON()).toEqual(error.toJSON());
    expect(json).toMatchObject({ details: { position: { offset: 7 }, nearestNames: ['name'] }, cause: 'SQLITE_ERROR' });
  });

  test('details of any kind survive JSON', () => {
    const details = {
      rows: 2n ** 60n,
      bytes: new Uint8Array(3),
      at: new Date(0),
      inner: new TypeError('bad'),
      last: new AskemaError('ABORTED', 'Stopped.'),
      limit: Number.POSITIVE_INFINITY,
      names: new Set(['a']),
      absent: undefined,
      call: () => 1,
    };
    expect(JSON.parse(JSON.stringify(new AskemaError('INTERNAL', 'x', { details }).details))).toMatchObject({
      rows: '1152921504606846976',
      bytes: '[3 bytes]',
      at: '1970-01-01T00:00:00.000Z',
      inner: 'TypeError: bad',
      last: { code: 'ABORTED' },
      limit: 'Infinity',
      names: ['a'],
    });
  });

  test('details that contain themselves end', () => {
    const details: Record<string, unknown> = { name: 'loop' };
    details.self = Array.from({ length: 20 }, () => details);
    expect(JSON.stringify(new AskemaError('INTERNAL', 'x', { details }))).toContain('[circular]');
    const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
    expect(JSON.stringify(new AskemaError('INTERNAL', 'x', { details: { deep } }))).toContain('[too deep]');
  });

  test.each([[{ askemaError: 1 }], [{ code: 'ABORTED', message: 'x' }], [null], [[]]])('%o is no error', (value) => {
    expect(isSerializedError(value)).toBe(false);
  });
});

test('no secret anywhere: message, details, cause, stacks, JSON', () => {
  const error = new AskemaError('MODEL_AUTHENTICATION', `The key ${KEY} was refused.`, {
    details: { apiKey: 'hunter2', headers: [{ authorization: 'plain-secret' }], url: 'https://u:hunter2@host/' },
    cause: Object.assign(new Error(`key ${KEY}`), { apiKey: KEY }),
  });
  const cause = error.cause as Error;
  const everything = [
    error.message,
    error.stack,
    cause.message,
    cause.stack,
    JSON.stringify(error),
    JSON.stringify(cause),
  ];
  for (const secret of [KEY, 'hunter2', 'plain-secret']) expect(everything.join('\n')).not.toContain(secret);
});

test('the statement stays as it was sent, so that positions fit', () => {
  const sql = "SELECT * FROM login WHERE password = 'hunter2'";
  expect(new AskemaError('QUERY_FAILED', 'x', { details: { sql } }).details.sql).toBe(sql);
});

describe('toAskemaError', () => {
  test('an abort is ABORTED, also as the DOMException of a signal', () => {
    expect(toAskemaError(AbortSignal.abort().reason)).toMatchObject({ code: 'ABORTED', retryable: false });
  });

  test.each([
    [new TypeError('x is undefined'), 'x is undefined'],
    ['just text', 'just text'],
    [undefined, 'undefined'],
  ])('%o is INTERNAL and quoted', (thrown, text) => {
    const error = toAskemaError(thrown);
    expect(error.code).toBe('INTERNAL');
    expect(error.message).toContain(text);
  });
});

test('throwIfAborted throws only after the signal has fired', () => {
  const controller = new AbortController();
  throwIfAborted(undefined, 'The query');
  throwIfAborted(controller.signal, 'The query');
  controller.abort();
  expect(() => throwIfAborted(controller.signal, 'The query')).toThrow(
    expect.objectContaining({ code: 'ABORTED', message: 'The query was stopped by its caller.' }),
  );
});

test('cuts a message of megabytes in its middle, says how much is missing, and keeps what to do next', () => {
  const name = '😀'.repeat(1_000_000);
  const error = new AskemaError('INPUT_INVALID', `There is no relation ${name}. Use one of these.`, {
    cause: new Error(name),
  });
  expect(error.message.length).toBeLessThan(4_100);
  expect(error.message).toMatch(
    /^There is no relation .*… \[1,9\d\d,\d{3} characters left out\] ….*Use one of these\.$/s,
  );
  // It throws for half a character.
  expect(encodeURIComponent(error.message)).toBeTruthy();
  expect((error.cause as Error).message.length).toBeLessThan(4_100);
  expect(AskemaError.fromJSON(error.toJSON()).message).toBe(error.message);
});
