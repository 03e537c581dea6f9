import { checkChoice } from '@askema/core';

/** The name that a flag was given, in any case. @throws AskemaError `INPUT_INVALID` with the nearest name and all of them. */
export function oneOf<Name extends string>(flag: string, given: string, known: readonly Name[]): Name {
  return checkChoice(flag, given.trim().toLowerCase(), known, 'INPUT_INVALID');
}
