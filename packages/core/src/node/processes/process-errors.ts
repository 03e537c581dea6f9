import { AskemaError } from '../../errors/askema-error.ts';

/** How error messages speak of a process and its driver. */
export interface ProcessNames {
  /** Begins a sentence: "A worker process of the SQLite adapter". */
  readonly process: string;
  /** "SQLite driver better-sqlite3". */
  readonly driver: string;
  /** The command that installs the driver. */
  readonly install: string;
  /** The adapter's package: `@askema/sqlite`. Its entry point `./worker` is the program. */
  readonly packageName: string;
}

/** A process that does not start, or does not live: `DATABASE_UNAVAILABLE`, worth another try. */
export function unavailableError({ process }: ProcessNames, what: string): AskemaError {
  return new AskemaError('DATABASE_UNAVAILABLE', `${process} ${what}. Try again.`, { retryable: true });
}

/** A program without its driver, or of another version. */
export function unusableError(
  { driver, install, packageName }: ProcessNames,
  { reason, message }: { readonly reason: 'dependency' | 'protocol'; readonly message: string },
): AskemaError {
  if (reason === 'dependency')
    return new AskemaError(
      'DEPENDENCY_MISSING',
      `The ${driver} could not be loaded: ${message.split('\n')[0]}. Install it with \`${install}\`.`,
    );
  return new AskemaError(
    'CONFIG_INVALID',
    `The worker's program does not belong to this version of ${packageName}: ${message}. Point \`workerPath\` at the \`${packageName}/worker\` of the same version.`,
  );
}

/**
 * A process that has died, and not for want of memory, while it worked for a call. @param description as `ProcessExit`
 * has it.
 */
export function processEndedError(description: string, sql: string | undefined): AskemaError {
  return new AskemaError(
    'DATABASE_UNAVAILABLE',
    `The database's process ended while it worked for this call (${description}). It is replaced at the next call: try again.`,
    { details: { sql }, retryable: true },
  );
}

/** A statement that ran alone in a process which crashed. @param description as `ProcessExit` has it. */
export function crashError(description: string, sql: string): AskemaError {
  return new AskemaError(
    'QUERY_FAILED',
    `The engine crashed (${description}) while it ran this statement and no other. Most likely it does so again: write the statement another way.`,
    { details: { sql, errorClass: 'other' } },
  );
}

/** A change of which nobody can say whether it was made. @param how goes on after "The commit of a change". */
export function unknownOutcomeError(how: string, sql: string | undefined): AskemaError {
  return new AskemaError(
    'DATABASE_UNAVAILABLE',
    `The commit of a change ${how}: look into the database whether the change is there before you repeat it.`,
    { details: { sql } },
  );
}

/** The error of everything that is asked of a closed adapter. @param name the adapter's. */
export function closedError(name: string): AskemaError {
  return new AskemaError('DATABASE_CLOSED', `The database ${name} is closed; open a new adapter to use it again.`);
}
