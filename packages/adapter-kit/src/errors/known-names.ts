import { classifyError, type Dialect } from '@askema/core';
import { remember } from '../catalog/remember.ts';

/** Gives the names that exist, for "did you mean"; undefined when they cannot be read. Never rejects. */
export type KnownNames = (read: () => Promise<readonly string[]>) => Promise<readonly string[] | undefined>;

/**
 * Keeps the names that were read for an error for half a minute, for one adapter: a model that guesses names makes many
 * such errors in a row.
 */
export function rememberNames(): KnownNames {
  const kept = remember<readonly string[]>();
  // The error that made us look is what counts, not that of the looking.
  return (read) => kept(read).catch(() => undefined);
}

/** Whether an error of the engine is about a name, so that the nearest names could help. */
export function isAboutNames(
  dialect: Pick<Dialect, 'errors'>,
  failure: { readonly vendorCode?: string | undefined; readonly message: string },
): boolean {
  const { errorClass } = classifyError(dialect, failure);
  return errorClass === 'identifier' || errorClass === 'function';
}
