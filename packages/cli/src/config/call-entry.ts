import { AskemaError, isAskemaError } from '@askema/core';

/**
 * Runs a function of the configuration.
 *
 * @throws AskemaError `CONFIG_INVALID` with the file, the entry and the reason, unless the function itself threw an AskemaError.
 */
export async function callEntry<T>(file: string | undefined, place: string, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isAskemaError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AskemaError('CONFIG_INVALID', `${file}: \`${place}\` failed: ${reason}`, { cause: error });
  }
}
