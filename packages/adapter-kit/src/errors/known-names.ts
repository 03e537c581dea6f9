import { classifyError, type Dialect } from '@askema/core';

/** Names are read again after this time. */
const FRESH_MS = 30_000;

/** Gives the names that exist, for "did you mean"; undefined when they cannot be read. Never rejects. */
export type KnownNames = (read: () => Promise<readonly string[]>) => Promise<readonly string[] | undefined>;

/**
 * Keeps the names that were read for an error for half a minute, for one adapter: a model that guesses names makes many
 * such errors in a row.
 */
export function rememberNames(): KnownNames {
  let known: { readonly names: readonly string[]; readonly at: number } | undefined;
  return async (read) => {
    if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.names;
    try {
      const names = await read();
      known = { names, at: performance.now() };
      return names;
    } catch {
      // The error that made us look is what counts.
      return undefined;
    }
  };
}

/** Whether an error of the engine is about a name, so that the nearest names could help. */
export function isAboutNames(
  dialect: Pick<Dialect, 'errors'>,
  failure: { readonly vendorCode?: string | undefined; readonly message: string },
): boolean {
  const { errorClass } = classifyError(dialect, failure);
  return errorClass === 'identifier' || errorClass === 'function';
}
