import { checkNumber, invalidOption } from '@askema/core';

/** The longest that a timer of this package waits: a day. */
export const LONGEST_MS = 86_400_000;

/** How often a process says that it lives, and when it counts as dead. */
export interface Heartbeat {
  readonly heartbeatMs: number;
  readonly deadAfterMs: number;
}

/** Both with their defaults. @throws AskemaError `CONFIG_INVALID` */
export function resolveHeartbeat(options: {
  readonly heartbeatMs?: number | undefined;
  readonly deadAfterMs?: number | undefined;
}): Heartbeat {
  const heartbeatMs = checkNumber('heartbeatMs', options.heartbeatMs ?? 2_000, 10, LONGEST_MS);
  const deadAfterMs = checkNumber(
    'deadAfterMs',
    options.deadAfterMs ?? Math.max(20_000, 4 * heartbeatMs),
    10,
    LONGEST_MS,
  );
  if (deadAfterMs >= 4 * heartbeatMs) return { heartbeatMs, deadAfterMs };
  throw invalidOption(
    `\`deadAfterMs\` is ${deadAfterMs}; it must be at least four times \`heartbeatMs\` (${heartbeatMs}).`,
  );
}
