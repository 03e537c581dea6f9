import { QUERY_DEFAULTS, type Row, type Runtime } from '@askema/core';
import type { Caller } from '../contract.ts';

/** So many rows of a result come as they are: what a question gives at most. */
const ORDINARY_ROWS = QUERY_DEFAULTS.maxRows;
/** What all large results together get at most while others ask. Alone, a process writes several thousand. */
const CELLS_PER_MS = 1_000;
/** Where a part took longer to come, because processors are busy, the pause is so many times as long. */
const PAUSES = 4;
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

  /** The parts of a result, with a pause behind each where others ask. Rejects with `ABORTED` by the signal. */
  async *paced(
    parts: AsyncIterable<readonly Row[]>,
    { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
  ): AsyncGenerator<readonly Row[], void, undefined> {
    const { clock } = this.#runtime;
    let rows = 0;
    let began = clock.now();
    for await (const part of parts) {
      // How long its reader takes is up to the reader.
      const tookMs = clock.now() - began;
      rows += part.length;
      yield part;
      if (rows > ORDINARY_ROWS) await this.#giveWay(caller, { part, tookMs }, signal);
      began = clock.now();
    }
  }

  async #giveWay(
    caller: Caller,
    { part, tookMs }: { readonly part: readonly Row[]; readonly tookMs: number },
    signal: AbortSignal,
  ): Promise<void> {
    const now = this.#runtime.clock.now();
    const other = this.#last?.who === nameOf(caller) ? this.#other : this.#last;
    if (other === undefined || now - other.at > LATELY_MS) return;
    const cells = part.length * (part[0]?.length ?? 0);
    this.#freeAt = Math.max(this.#freeAt, now) + Math.max(cells / CELLS_PER_MS, tookMs * PAUSES);
    await this.#runtime.sleep(this.#freeAt - now, signal);
  }
}

function nameOf({ tenant, subject }: Caller): string {
  return JSON.stringify([tenant ?? null, subject]);
}
