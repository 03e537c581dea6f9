import { AskemaError } from '../../errors/askema-error.ts';

/**
 * Loads an optional peer dependency at its first use. Rejects with `DEPENDENCY_MISSING` and the command that installs it when the
 * package is not there; any other failure of the import is passed on.
 */
export async function loadPeer<T>(
  load: () => Promise<T>,
  names: {
    /** The package as npm knows it: `openai`. */
    readonly peer: string;
    /** The range that works: `^7`. */
    readonly range: string;
    /** Who needs it: `@askema/openai`. */
    readonly neededBy: string;
  },
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, names.peer)) throw error;
    throw new AskemaError(
      'DEPENDENCY_MISSING',
      `${names.neededBy} needs the package \`${names.peer}\`, which is not installed. Install it: npm install "${names.peer}@${names.range}"`,
      { cause: error },
    );
  }
}

function isMissing(error: unknown, peer: string): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  const notFound = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  // A package that lacks a dependency of its own fails the same way, but names that dependency.
  return notFound && error.message.includes(`'${peer}'`);
}
