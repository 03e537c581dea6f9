import { type ErrorClass, fence } from '@askema/core';

/** What to do about each class of error, for prompts that mend a statement. */
export const ERROR_ADVICE: Readonly<Partial<Record<ErrorClass, string>>> = {
  identifier: 'A name does not exist where it was used. Look it up in the schema; it may belong to another relation.',
  syntax: 'The statement does not follow the syntax of this database.',
  function: 'A function does not exist here, or takes other arguments. See what this database offers instead.',
  type: 'Values of types that do not fit were compared or combined.',
  permission: 'The statement was not allowed. Answer with a statement that only reads.',
  timeout:
    'The statement took too long and was stopped. Write one that does less: filter before joining, join along keys, avoid cross joins and endless recursion.',
};

/** Names of the catalog that are near to one that does not exist; no section where there are none. */
export function nearNamesSections(names: readonly string[] | undefined): readonly string[] {
  if (names === undefined || names.length === 0) return [];
  return [`Names that exist and are near:\n${fence('names', names.join('\n'))}`];
}
