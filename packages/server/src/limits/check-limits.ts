import { checkNumber, checkWhole } from '@askema/core';
import type { CallerLimits } from '../contract.ts';

/** Limits with a default, which `false` lifts. */
const LIFTED: ReadonlySet<string> = new Set<keyof CallerLimits>(['statementsAtOnce', 'questionsAtOnce']);

/** @throws AskemaError `CONFIG_INVALID` for a limit that is no number, or below 1 where it counts things. */
export function checkLimits(name: string, limits: CallerLimits | undefined): void {
  for (const [limit, value] of Object.entries(limits ?? {})) {
    if (value === undefined || (value === false && LIFTED.has(limit))) continue;
    if (limit === 'costUsdPerDay') checkNumber(`${name}.${limit}`, value);
    else checkWhole(`${name}.${limit}`, value);
  }
}
