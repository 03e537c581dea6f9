import { checkWhole } from '@askema/core';

/** How much one reply holds. */
export interface ReplyLimits {
  readonly maxRows: number;
  /** Of JSON, in UTF-16 code units. */
  readonly maxCharacters: number;
}

/** 12,000 characters of ordinary rows are 3,000 to 4,000 tokens. */
const DEFAULTS: ReplyLimits = { maxRows: 50, maxCharacters: 12_000 };

/** Below this, the fields of an outcome alone would not fit. */
const MIN_CHARACTERS = 2_000;

/** @throws AskemaError `CONFIG_INVALID` for numbers out of range. */
export function replyLimits(
  given: { readonly [Key in keyof ReplyLimits]?: ReplyLimits[Key] | undefined },
): ReplyLimits {
  const { maxRows = DEFAULTS.maxRows, maxCharacters = DEFAULTS.maxCharacters } = given;
  checkWhole('maxRows', maxRows, 1, 10_000);
  checkWhole('maxCharacters', maxCharacters, MIN_CHARACTERS);
  return { maxRows, maxCharacters };
}
