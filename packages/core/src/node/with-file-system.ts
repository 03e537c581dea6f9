import { AskemaError, isAskemaError } from '../errors/askema-error.ts';

/** Runs work on the file system; what that refuses becomes an AskemaError that says what was tried. */
export async function withFileSystem<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (isAskemaError(thrown)) throw thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new AskemaError('INTERNAL', `Could not ${what}: ${reason}.`, {
      cause: thrown,
      details: { vendorCode: errorCodeOf(thrown) },
    });
  }
}

/** True for the error of a file that is not there. */
export function isMissing(thrown: unknown): boolean {
  return errorCodeOf(thrown) === 'ENOENT';
}

/** The code of a system error, such as `EEXIST`. */
export function errorCodeOf(thrown: unknown): string | undefined {
  const code: unknown = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
