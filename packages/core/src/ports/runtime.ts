/** The clock, as a value: tests pass their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Waits; rejects with `ABORTED` when the signal fires. */
export type Sleep = (delayMs: number, signal?: AbortSignal) => Promise<void>;

/** A number in [0, 1). */
export type Random = () => number;

export interface Logger {
  debug(message: string, data?: Readonly<Record<string, unknown>>): void;
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
}

/** What every flow finds among its dependencies; each has a default. */
export interface Runtime {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly logger: Logger;
}
