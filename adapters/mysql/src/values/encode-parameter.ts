import { positionalParameters } from '@askema/adapter-kit';
import type { ExecuteOptions } from '@askema/core';
import type { TypedParameter } from 'mysql2';

const INT64 = 2n ** 63n;

/**
 * Parameters as the driver takes them. Whole numbers go as integers: a double would not do for LIMIT, and a text would
 * be compared as a double.
 *
 * @throws AskemaError `INPUT_INVALID` for names, and for another number of values than the statement has placeholders.
 */
export function encodeParameters(
  given: ExecuteOptions['parameters'],
  expected: number,
  types: typeof TypedParameter,
): readonly unknown[] {
  const parameters = positionalParameters(given, 'MySQL', '? for each,', expected);
  return parameters.map((value) => {
    if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return value;
    const whole = BigInt(value as number | bigint);
    if (whole >= -INT64 && whole < INT64) return types.LONGLONG(whole);
    return whole >= 0n && whole < 2n * INT64 ? types.LONGLONG.unsigned(whole) : types.NEWDECIMAL(String(whole));
  });
}
