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
  /** A worker of the SQLite adapter that was started ahead. */
  readonly worker?: StartedDriver | undefined;
}

/** What is kept back of a database: patterns such as `hr.*`, `users.ssn` and `*.email`. */
export interface RestrictFlags {
  readonly hide?: readonly string[] | undefined;
  readonly mask?: readonly string[] | undefined;
}

/** Options that every command has; `hide` and `mask` are of those that open one database. */
export interface CommonFlags extends RestrictFlags {
  /** A configuration file, instead of the nearest `askema.config.ts`. */
  readonly config?: string | undefined;
  readonly allowFunction?: readonly string[] | undefined;
}
