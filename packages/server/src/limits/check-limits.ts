import { checkNumber, checkWhole } from '@askema/core';
import type { CallerLimits } from '../contract.ts';

/** @throws AskemaError `CONFIG_INVALID` for a limit that is no number, or below 1 where it counts things. */
export function checkLimits(name: string, limits: CallerLimits | undefined): void {
  for (const [limit, value] of Object.entries(limits ?? {})) {
    if (value === undefined) continue;
    if (limit === 'costUsdPerDay') checkNumber(`${name}.${limit}`, value);
    else checkWhole(`${name}.${limit}`, value);
  }
}
