import type { StartedDriver } from '@askema/sqlite/start';
import type { Host } from './host.ts';
import type { Output } from './output.ts';

/** What every command works with. */
export interface CommandContext {
  readonly host: Host;
  readonly out: Output;
  readonly err: Output;
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
  /**
   * From here on Ctrl-C reaches this listener instead of ending the command; returns how to give it back. What ends a
   * process otherwise (SIGTERM, SIGHUP) still does.
   */
  readonly takeInterrupts: (listener: () => void) => () => void;
  /**
   * From here on the first signal that stops gives the command so many milliseconds to end in its own way, and with its
   * own exit code. A second signal still ends the process at once.
   */
  readonly endWithin: (graceMs: number) => void;
  /** Has work done when the command has ended, also where it failed: once for each owner. */
  readonly atEnd: (owner: object, work: () => Promise<void>) => void;
  /** A worker of the SQLite adapter that was started ahead. */
  readonly worker?: StartedDriver | undefined;
}

/** Options of the commands that open a database. */
export interface DatabaseFlags {
  /** What is kept back of it: patterns such as `hr.*`, `users.ssn` and `*.email`. */
  readonly hide?: readonly string[] | undefined;
  readonly mask?: readonly string[] | undefined;
  /** Functions that reading may call although nobody can see that they only read, as `schema.name`. */
  readonly allowFunction?: readonly string[] | undefined;
}

/** Options that every command has, beside those of commands that open a database. */
export interface CommonFlags extends DatabaseFlags {
  /** A configuration file, instead of the nearest `askema.config.ts`. */
  readonly config?: string | undefined;
}
