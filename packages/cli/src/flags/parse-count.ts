import { AskemaError } from '@askema/core';

/**
 * Reads a whole number of at least `minimum`.
 *
 * @throws AskemaError `INPUT_INVALID` for anything else.
 */
export function parseCount(text: string, option: string, minimum = 1): number {
  const count = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(count) || count < minimum) {
    throw new AskemaError(
      'INPUT_INVALID',
      `${option} ${JSON.stringify(text)} must be a whole number of at least ${minimum}.`,
    );
  }
  return count;
}
