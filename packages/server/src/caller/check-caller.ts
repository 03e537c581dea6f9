import { AskemaError, didYouMean, invalidOption } from '@askema/core';
import { type Caller, SCOPES } from '../contract.ts';
import { checkLimits } from '../limits/check-limits.ts';

/** Names of people, tenants and roles stand in logs and in keys of maps. */
const MAX_NAME = 256;

/** Whether a text can name somebody: something in it, and no control characters. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_NAME && !/\p{Cc}/u.test(value);
}

/** Two callers without a name would be one. @throws AskemaError `CONFIG_INVALID`. */
export function checkNames(name: string, caller: Caller): Caller {
  for (const field of ['subject', 'tenant', 'role'] as const)
    if ((field === 'subject' || caller[field] !== undefined) && !isName(caller[field]))
      throw invalidOption(`\`${name}.${field}\` must be a text of 1 to ${MAX_NAME} characters.`);
  return caller;
}

/** Checks a caller of the configuration. @throws AskemaError `CONFIG_INVALID`. */
export function checkCaller(name: string, caller: Caller): Caller {
  checkNames(name, caller);
  for (const scope of caller.scopes) {
    const what = scope.split('@', 1)[0] ?? '';
    if (what === '*' || SCOPES.some((known) => known === what)) continue;
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`${name}.scopes\` has ${JSON.stringify(scope)}, which is no scope. ${didYouMean(what, SCOPES)}`.trim(),
    );
  }
  checkLimits(`${name}.limits`, caller.limits);
  return caller;
}
