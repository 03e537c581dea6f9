import type { Loss } from '../conversion.ts';

/** Reasons begin in the middle of a thought where they are found; they are read as sentences. */
export function asSentence(loss: Loss): Loss {
  const { reason } = loss;
  const end = /[.?!]$/.test(reason) ? '' : '.';
  return { ...loss, reason: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${end}` };
}
