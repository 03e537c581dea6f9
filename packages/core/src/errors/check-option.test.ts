import { describe, expect, it } from 'vitest';
import { checkAccess, throwIfNotWritable } from '../adapter/check-access.ts';
import { AskemaError } from './askema-error.ts';
import {
  checkChoice,
  checkNames,
  checkNumber,
  checkText,
  checkTimer,
  checkWhole,
  decodePart,
  MAX_TIMER_MS,
} from './check-option.ts';

/** The message of the error, which must be `CONFIG_INVALID`. */
function refusal(check: () => unknown): string {
  try {
    check();
  } catch (error) {
    if (error instanceof AskemaError && error.code === 'CONFIG_INVALID') return error.message;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

describe('options that can work', () => {
  it('are what was given', () => {
    expect(checkWhole('poolSize', 1, 1, 64)).toBe(1);
    expect(checkWhole('poolSize', 64, 1, 64)).toBe(64);
    expect(checkWhole('maxRows', Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    expect(checkNumber('temperature', 0.7, 0, 2)).toBe(0.7);
    expect(checkNumber('maxMs', Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
    expect(checkTimer('idleTimeoutMs', 0, 0)).toBe(0);
    expect(checkTimer('idleTimeoutMs', MAX_TIMER_MS)).toBe(MAX_TIMER_MS);
    expect(checkChoice('metadata', 'rest', ['auto', 'rest'])).toBe('rest');
    expect(checkAccess(undefined)).toBe('read');
    expect(checkAccess('write')).toBe('write');
    expect(checkText('host', undefined)).toBeUndefined();
    expect(checkText('host', ' db ')).toBe(' db ');
    expect(checkNames('schemas', ['a', 'b'])).toEqual(['a', 'b']);
    expect(checkNames('schemas', undefined)).toBeUndefined();
    expect(decodePart('a%20b', 'x')).toBe('a b');
  });
});

describe('options that cannot work', () => {
  it.each([0, 65, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', null, 3n])('say what they must be: %s', (value) => {
    const message = refusal(() => checkWhole('poolSize', value as number, 1, 64));
    expect(message).toContain('`poolSize` is ');
    expect(message).toContain('a whole number from 1 to 64');
  });

  it.each([-0.1, 2.1, Number.NaN, Number.POSITIVE_INFINITY, '1', null])('a number out of its range: %s', (value) => {
    expect(refusal(() => checkNumber('temperature', value as number, 0, 2))).toMatch(
      /^`temperature` is .*; it must be a number from 0 to 2\.$/,
    );
  });

  it('the end of a range is named where there is one', () => {
    expect(refusal(() => checkWhole('maxRows', 0))).toBe('`maxRows` is 0; it must be a whole number from 1.');
    expect(refusal(() => checkNumber('maxCostUsd', -1))).toBe('`maxCostUsd` is -1; it must be a number from 0.');
    expect(refusal(() => checkNumber('maxCostUsd', Number.POSITIVE_INFINITY))).toContain('is Infinity');
  });

  it('a timer that would fire at once', () => {
    expect(refusal(() => checkTimer('connectTimeoutMs', MAX_TIMER_MS + 1))).toContain('2147483647');
    expect(refusal(() => checkTimer('connectTimeoutMs', 0))).toContain('from 1');
  });

  it('a choice that there is not', () => {
    expect(refusal(() => checkChoice('metadata', 'all', ['auto', 'rest']))).toBe(
      "`metadata` is \"all\"; it must be 'auto' or 'rest'.",
    );
    expect(refusal(() => checkChoice('cte', 1, [true, false, 'only']))).toBe(
      "`cte` is 1; it must be true, false or 'only'.",
    );
    expect(refusal(() => checkAccess('WRITE' as 'write'))).toBe(
      "`access` is \"WRITE\"; it must be 'read' or 'write'. Did you mean `write`?",
    );
    expect(() => checkChoice('--format', 'jsn', ['text', 'json'], 'INPUT_INVALID')).toThrow(
      expect.objectContaining({
        code: 'INPUT_INVALID',
        message: "`--format` is \"jsn\"; it must be 'text' or 'json'. Did you mean `json`?",
      }),
    );
  });

  it('a call that writes, where only reading was granted; it says how to grant it', () => {
    const reader = { name: 'shop', access: 'read' } as const;
    expect(refusal(() => throwIfNotWritable(reader, 'write', "it with `shop({ access: 'write' })`"))).toBe(
      "The adapter \"shop\" was opened for reading, and this call asks for `access: 'write'`; open it with `shop({ access: 'write' })` if statements may change data.",
    );
    throwIfNotWritable(reader, 'read');
    throwIfNotWritable({ name: 'shop', access: 'write' }, 'write');
  });

  it('texts and names, which are not repeated', () => {
    expect(refusal(() => checkText('host', '  '))).toContain('`host` is empty');
    expect(refusal(() => checkText('host', 5 as unknown as string))).toContain('`host` is a number');
    expect(refusal(() => checkText('host', 'pass\0word'))).not.toContain('pass');
    expect(refusal(() => checkNames('schemas', []))).toContain('at least one');
    expect(refusal(() => checkNames('schemas', 'a' as unknown as string[]))).toContain('a list');
    expect(refusal(() => checkNames('schemas', ['a', '']))).toContain('`schemas` is empty');
    expect(refusal(() => decodePart('secret%ZZ', 'postgres://host/shop'))).toBe(
      'A part of the address is not percent-encoded as it should be. An address looks like postgres://host/shop',
    );
  });
});
