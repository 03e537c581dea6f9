import { AskemaError } from './askema-error.ts';
import { didYouMean } from './nearest-names.ts';

/** The longest that a timer of the runtime can wait, in milliseconds; a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** An option that cannot work: `CONFIG_INVALID`. The message never holds a secret. */
export function invalidOption(message: string): AskemaError {
  return new AskemaError('CONFIG_INVALID', message.trim());
}

/**
 * The value, when it is a whole number from `least` to `most`. `name` may begin with the function that takes the
 * option: `withRetry.maxAttempts`. @throws AskemaError `CONFIG_INVALID`
 */
export function checkWhole(name: string, value: number, least = 1, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const end = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
  throw invalidOption(`\`${name}\` is ${shown(value)}; it must be a whole number from ${least}${end}.`);
}

/**
 * The value, when it is a number from `least` to `most`. Infinity is none, unless it is given as `most`. @throws
 * AskemaError `CONFIG_INVALID`
 */
export function checkNumber(name: string, value: number, least = 0, most = Number.MAX_VALUE): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  const end = most >= Number.MAX_VALUE ? '' : ` to ${most}`;
  throw invalidOption(`\`${name}\` is ${shown(value)}; it must be a number from ${least}${end}.`);
}

/** Milliseconds that a timer can wait. @throws AskemaError `CONFIG_INVALID` */
export function checkTimer(name: string, value: number, least = 1): number {
  return checkWhole(name, value, least, MAX_TIMER_MS);
}

/**
 * The value, when it is one of these. @param code `INPUT_INVALID` for what a person has typed. @throws AskemaError
 * `code`, with all of them and the nearest
 */
export function checkChoice<T extends string | boolean>(
  name: string,
  value: unknown,
  allowed: readonly T[],
  code: 'CONFIG_INVALID' | 'INPUT_INVALID' = 'CONFIG_INVALID',
): T {
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  const choices = allowed.map((one) => (typeof one === 'string' ? `'${one}'` : String(one)));
  const last = choices.pop() ?? '';
  const near = typeof value === 'string' ? didYouMean(value, allowed.map(String)) : '';
  const message = `\`${name}\` is ${shown(value)}; it must be ${choices.join(', ')} or ${last}. ${near}`;
  throw new AskemaError(code, message.trim());
}

/**
 * The value, when it is left out or a text with something in it; what it is, is not shown. @throws AskemaError
 * `CONFIG_INVALID`
 */
export function checkText(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.trim() === '')
    throw invalidOption(
      `\`${name}\` is ${typeof value === 'string' ? 'empty' : `a ${typeof value}`}; give a text or leave it out.`,
    );
  if (value.includes('\0')) throw invalidOption(`\`${name}\` has a NUL character in it.`);
  return value;
}

/** The value, when it is left out or a list of one text or more. @throws AskemaError `CONFIG_INVALID` */
export function checkNames(name: string, value: readonly string[] | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length === 0)
    throw invalidOption(`\`${name}\` must be a list of names with at least one in it.`);
  for (const each of value) checkText(name, each);
  return value;
}

/**
 * A part of an address without its percent signs. `example` is an address as it should be.
 *
 * @throws AskemaError `CONFIG_INVALID`, without the part: it may be a secret.
 */
export function decodePart(part: string, example: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalidOption(
      `A part of the address is not percent-encoded as it should be. An address looks like ${example}`,
    );
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
