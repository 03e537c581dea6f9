import type { Clock } from '../ports/runtime.ts';
import { decodeValue, encodeValue } from '../values/encode-value.ts';
import type { JsonValue } from '../values/value.ts';
import { hashText } from './hash-value.ts';
import { JOURNAL_SCHEMA_VERSION, type Journal, type JournalEntry } from './journal.ts';

/** Results by path and key, and values sent to paths, remembered in one run of a journal: what a runner knows. */
export interface ResultLog {
  /**
   * The result of `work`, or the remembered one. `stillWanted` throws when a result that comes now must not be kept.
   */
  run<T>(path: string, key: string, work: () => Promise<T>, stillWanted?: () => void): Promise<T>;
  send(path: string, value: unknown): Promise<void>;
  /** The value sent as number `index` to a path, from 0; waits for it. */
  received(path: string, index: number): Promise<unknown>;
  close(): Promise<void>;
}

export async function openResultLog(journal: Journal, runId: string, clock: Clock): Promise<ResultLog> {
  const opened = await journal.open(runId);
  const results = new Map<string, JsonValue>();
  const mail = new Mail();
  const append = (path: string, body: object): Promise<void> =>
    opened.append([{ schemaVersion: JOURNAL_SCHEMA_VERSION, at: clock.now(), path, ...body } as JournalEntry]);
  for (const entry of opened.entries) {
    if (entry.kind === 'call') results.set(entry.path, entry.value);
    else if (entry.kind === 'answer') mail.deliver(entry.path, entry.value);
  }
  if (opened.entries.length === 0) {
    await append(runId, { kind: 'run', runId, flow: 'runner', version: 1, graph: '', state: {}, tags: {} });
  }
  return {
    async run(path, key, work, stillWanted) {
      const at = `${path}~${hashText(key)}`;
      const known = results.get(at);
      if (known !== undefined) return decodeValue(known) as Awaited<ReturnType<typeof work>>;
      const value = await work();
      stillWanted?.();
      const encoded = encodeValue(value);
      await append(at, { kind: 'call', value: encoded });
      results.set(at, encoded);
      return value;
    },
    async send(path, value) {
      const encoded = encodeValue(value);
      await append(path, { kind: 'answer', value: encoded });
      mail.deliver(path, encoded);
    },
    received: (path, index) => mail.take(path, index),
    close: () => opened.close(),
  };
}

/** Values by path, in the order in which they were sent, for readers that may come before or after. */
class Mail {
  readonly #values = new Map<string, JsonValue[]>();
  readonly #readers = new Map<string, (() => void)[]>();

  deliver(path: string, value: JsonValue): void {
    this.#values.set(path, [...(this.#values.get(path) ?? []), value]);
    const readers = this.#readers.get(path) ?? [];
    this.#readers.delete(path);
    for (const wake of readers) wake();
  }

  async take(path: string, index: number): Promise<unknown> {
    for (;;) {
      const values = this.#values.get(path) ?? [];
      const value = values[index];
      if (value !== undefined) return decodeValue(value);
      await new Promise<void>((resolve) => {
        this.#readers.set(path, [...(this.#readers.get(path) ?? []), resolve]);
      });
    }
  }
}
