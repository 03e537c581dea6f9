import { QUERY_DEFAULTS, type Runtime } from '@askema/core';
import type { Caller } from '../contract.ts';

/** So many rows of a result come as they are: what a question gives at most. */
const ORDINARY_ROWS = QUERY_DEFAULTS.maxRows;
/** What all large results together get while others ask. Alone, a process writes some thousand. */
const CELLS_PER_MS = 1_000;
/** Whoever has asked so lately is likely to ask again. */
const LATELY_MS = 1_000;

interface Asked {
  readonly who: string;
  readonly at: number;
}

/**
 * One process makes the answers of all callers. While others ask, large results wait between their parts, so that they
 * take a small part of its time; the engine waits with them. Whoever is alone is not held up.
 */
export class LargeResults {
  readonly #runtime: Pick<Runtime, 'clock' | 'sleep'>;
  /** Who has asked last, and who before them. */
  #last: Asked | undefined;
  #other: Asked | undefined;
  #freeAt = 0;

  constructor(runtime: Pick<Runtime, 'clock' | 'sleep'>) {
    this.#runtime = runtime;
  }

  /** A statement of the caller begins. */
  asked(caller: Caller): void {
    const who = nameOf(caller);
    if (this.#last !== undefined && this.#last.who !== who) this.#other = this.#last;
    this.#last = { who, at: this.#runtime.clock.now() };
  }

  /** Waits behind a part of a result, of which the caller now has so many rows. Rejects with `ABORTED` by the signal. */
  async giveWay(
    caller: Caller,
    { rows, cells }: { readonly rows: number; readonly cells: number },
    signal: AbortSignal,
  ): Promise<void> {
    const now = this.#runtime.clock.now();
    const other = this.#last?.who === nameOf(caller) ? this.#other : this.#last;
    if (rows <= ORDINARY_ROWS || other === undefined || now - other.at > LATELY_MS) return;
    this.#freeAt = Math.max(this.#freeAt, now) + cells / CELLS_PER_MS;
    await this.#runtime.sleep(this.#freeAt - now, signal);
  }
}

function nameOf({ tenant, subject }: Caller): string {
  return JSON.stringify([tenant ?? null, subject]);
}
