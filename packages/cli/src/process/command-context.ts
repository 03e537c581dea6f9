import type { Host } from './host.ts';
import type { Output } from './output.ts';

/** What every command works with. */
export interface CommandContext {
  readonly host: Host;
  readonly out: Output;
  readonly err: Output;
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Options that every command has. */
export interface CommonFlags {
  /** A configuration file, instead of the nearest `askema.config.ts`. */
  readonly config?: string | undefined;
}
