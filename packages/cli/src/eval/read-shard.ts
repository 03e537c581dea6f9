import { AskemaError } from '@askema/core';

/**
 * Reads `--shard 2/3` as part 2 of 3.
 *
 * @throws AskemaError `INPUT_INVALID` for anything else.
 */
export function readShard(text: string | undefined): { readonly index: number; readonly of: number } | undefined {
  if (text === undefined) return undefined;
  const [, first, second] = /^(\d{1,9})\/(\d{1,9})$/.exec(text.trim()) ?? [];
  const [index, of] = [Number(first), Number(second)];
  if (!(index >= 1 && index <= of)) {
    throw new AskemaError(
      'INPUT_INVALID',
      `--shard ${JSON.stringify(text)} is no part of a run; write which one of how many, from 1: 1/3, 2/3 or 3/3.`,
    );
  }
  return { index, of };
}
