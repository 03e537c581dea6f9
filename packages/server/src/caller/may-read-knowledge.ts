import type { Caller } from '../contract.ts';

/**
 * Whether knowledge is for a caller who has the scope for it. It names relations, columns and values, so it is not for whom
 * some of these are kept back.
 */
export function mayReadKnowledge({ hide = [], mask = [] }: Caller): boolean {
  return hide.length + mask.length === 0;
}
