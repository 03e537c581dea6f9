import type { SerializedError } from '@askema/core';
import { cutText } from './cut-text.ts';

/** What of the details of an error helps a caller. Not the statement, which stands beside it. */
const DETAILS = [
  'errorClass',
  'vendorCode',
  'position',
  'nearestNames',
  'status',
  'retryAfterMs',
] as const satisfies readonly (keyof SerializedError['details'])[];

/** Characters of the details together; more are left out. */
const MAX_DETAILS = 1_000;

/** An error as a reply tells it: bounded, without causes and what else is for a log. */
export function errorJson(error: SerializedError, maxCharacters: number): SerializedError {
  const { code, message, retryable, details } = error;
  const told = Object.fromEntries(
    DETAILS.flatMap((name) => (details[name] === undefined ? [] : [[name, details[name]] as const])),
  );
  return {
    askemaError: 1,
    code,
    message: cutText(message, maxCharacters),
    retryable,
    details: JSON.stringify(told).length <= MAX_DETAILS ? told : {},
  };
}
