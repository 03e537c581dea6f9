import { AskemaError, isAskemaError, toAskemaError } from '../errors/askema-error.ts';
import type { ErrorCode } from '../errors/error-code.ts';
import type { Clock } from '../ports/runtime.ts';
import { decodeValue, encodeValue } from '../values/encode-value.ts';
import type { JsonValue } from '../values/value.ts';
import { type CallStore, type FinishedCall, forgetBelow } from './call-store.ts';
import { hashValue } from './hash-value.ts';
import { JOURNAL_SCHEMA_VERSION, type JournalEntry, type JournalEntryOf, type RunJournal } from './journal.ts';

type Body<Entry> = Entry extends JournalEntry ? Omit<Entry, 'schemaVersion' | 'at' | 'path'> : never;

/** Errors of one pass over a run, after which the run stands where it stood. */
export const NOT_OF_THE_RUN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'FLOW_NOT_DETERMINISTIC',
  'JOURNAL_INVALID',
  'JOURNAL_LOCKED',
  'RECORDING_MISSING',
]);

/** What came back for a request. `stale`: the calls that led to the request have been renewed since. */
interface Answer {
  readonly value: JsonValue;
  readonly stale: boolean;
}

/**
 * A run's memory: what its journal holds, by path, and the way to add to it. Without a `journal` it only reads (replay,
 * fork).
 */
export class Recorder implements CallStore {
  readonly header: JournalEntryOf<'run'> | undefined;
  /** The last entry, when the run has ended. */
  readonly end: JournalEntryOf<'end'> | undefined;
  /** The first failed write. Whatever a step makes of it, the run must not go on. */
  broken: AskemaError | undefined;
  /** The entries that this pass has used, in order: what a fork takes along. */
  readonly used: JournalEntry[] = [];
  readonly #clock: Clock;
  /** What stood there when the run last ended as failed. */
  readonly #beforeFailure: ReadonlySet<JournalEntry>;
  readonly #journal: RunJournal | undefined;
  readonly #execs = new Map<string, JournalEntryOf<'exec'>>();
  readonly #steps = new Map<string, JournalEntryOf<'step'>>();
  readonly #edits = new Map<string, JsonValue>();
  readonly #calls = new Map<string, FinishedCall>();
  readonly #renewals = new Map<string, number>();
  readonly #requests = new Map<string, JsonValue>();
  readonly #answers = new Map<string, Answer>();
  /** Steps wait here for the next entry that has to be safe: losing one costs nothing. */
  #waiting: JournalEntry[] = [];
  #order = 0;

  constructor(entries: readonly JournalEntry[], clock: Clock, journal?: RunJournal) {
    this.#clock = clock;
    this.#journal = journal;
    for (const entry of entries) this.#load(entry);
    this.header = entries.find((entry) => entry.kind === 'run');
    const failedAt = entries.findLastIndex((entry) => entry.kind === 'end' && entry.status === 'failed');
    this.#beforeFailure = new Set(entries.slice(0, Math.max(0, failedAt)));
    const last = entries.at(-1);
    this.end = last?.kind === 'end' ? last : undefined;
  }

  get readOnly(): boolean {
    return this.#journal === undefined;
  }

  /** The request that nobody has answered yet, with its path. */
  get pending(): { readonly path: string; readonly request: unknown } | undefined {
    for (const [path, request] of this.#requests) {
      if (!this.#answers.has(path)) return { path, request: decodeValue(request) };
    }
    return undefined;
  }

  /** The recorded result at a path. `input` must be what led to it. */
  exec(path: string, input: string | undefined): { readonly value: unknown } | undefined {
    const entry = this.#execs.get(path);
    if (entry === undefined) return undefined;
    if (entry.input !== input) {
      throw notDeterministic(path, '`prep` returned something other than when the result was recorded');
    }
    this.used.push(entry);
    return { value: decodeValue(entry.value) };
  }

  /**
   * The recorded results of the items of a parallel node, in the order in which they ended. Those that count are to be
   * marked with {@link use}.
   */
  items(path: string): readonly { readonly item: number; readonly entry: JournalEntryOf<'exec'> }[] {
    const found: { readonly item: number; readonly entry: JournalEntryOf<'exec'> }[] = [];
    for (const [at, entry] of this.#execs) {
      if (!at.startsWith(`${path}/`)) continue;
      const item = at.slice(path.length + 1);
      if (/^\d+$/.test(item)) found.push({ item: Number(item), entry });
    }
    return found;
  }

  /** Notes that this pass has used an entry. */
  use(entry: JournalEntry): void {
    this.used.push(entry);
  }

  async recordExec(path: string, input: string | undefined, attempts: number, value: unknown): Promise<void> {
    const encoded = encode(value, `The result of \`${path}\``);
    await this.append(path, { kind: 'exec', ...(input === undefined ? {} : { input }), attempts, value: encoded });
  }

  /** Notes how an item of a parallel node ended. From then on this pass knows it, too. */
  async recordItem(path: string, input: string | undefined, end: unknown): Promise<void> {
    const body = {
      kind: 'exec' as const,
      ...(input === undefined ? {} : { input }),
      attempts: 1,
      value: encodeValue(end),
    };
    await this.append(path, body);
    this.#execs.set(path, this.#entry(path, body) as JournalEntryOf<'exec'>);
  }

  /** True for the end of an item after which the run ended as failed, and the node at this path was not left. */
  isUnsettled(path: string, entry: JournalEntryOf<'exec'>): boolean {
    return this.#beforeFailure.has(entry) && !this.#steps.has(path);
  }

  /** Lets the items of a parallel node go on that did not finish: how they ended no longer counts. */
  async retryItems(path: string): Promise<void> {
    await this.append(path, { kind: 'retry' });
    this.#forgetEnds(path);
  }

  /** Compares an action with the recorded one, or notes it. */
  step(path: string, action: string): void {
    const entry = this.#steps.get(path);
    if (entry === undefined) {
      this.#waiting.push(this.#entry(path, { kind: 'step', action }));
      return;
    }
    if (entry.action !== action) {
      throw notDeterministic(path, `\`post\` returned \`${action}\`, and \`${entry.action}\` was recorded`);
    }
    this.used.push(entry);
  }

  /** The state that a forked run goes on with at this step. */
  edit(path: string): { readonly state: unknown } | undefined {
    const edited = this.#edits.get(path);
    return edited === undefined ? undefined : { state: decodeValue(edited) };
  }

  call(path: string): FinishedCall | undefined {
    return this.#calls.get(path);
  }

  async recordCall(path: string, value: unknown): Promise<void> {
    const encoded = encode(value, `The result of the memo call \`${path}\``);
    await this.append(path, { kind: 'call', value: encoded });
    this.#setCall(path, encoded);
  }

  async recordFailure(path: string, error: AskemaError, renew: boolean): Promise<void> {
    await this.append(path, { kind: 'failure', error: error.toJSON(), renew });
    if (renew) this.#renew(path);
  }

  renewals(path: string): number {
    return this.#renewals.get(path) ?? 0;
  }

  /** The answer to a request, when there is one for exactly this request. */
  answer(path: string, request: unknown): { readonly value: unknown } | undefined {
    const answer = this.#answers.get(path);
    if (answer === undefined) return undefined;
    if (hashValue(request) === hashValue(decodeValue(this.#requests.get(path) ?? null))) {
      return { value: decodeValue(answer.value) };
    }
    if (answer.stale) return undefined;
    throw notDeterministic(
      path,
      'the answer was given to another request. Put what the request is made from into `context.memo`, so that it is the same again',
    );
  }

  async recordRequest(path: string, request: unknown): Promise<void> {
    const encoded = encode(request, `The request of \`${path}\``);
    this.#answers.delete(path);
    this.#requests.set(path, encoded);
    await this.append(path, { kind: 'suspend', value: encoded });
  }

  async recordAnswer(path: string, value: unknown): Promise<void> {
    const encoded = encode(value, 'The answer');
    await this.append(path, { kind: 'answer', value: encoded });
    this.#answers.set(path, { value: encoded, stale: false });
  }

  /** Notes the end, or compares it with the recorded one. */
  async finish(path: string, action: string, state: unknown): Promise<void> {
    const hash = hashValue(state);
    if (this.end?.status === 'finished') {
      if (this.end.state === hash && this.end.action === action) return;
      throw notDeterministic(path, 'it ended with another action or state than was recorded');
    }
    if (this.readOnly) return;
    await this.append(path, {
      kind: 'end',
      status: 'finished',
      action,
      ...(hash === undefined ? {} : { state: hash }),
    });
  }

  /** Notes that the run failed. Not for errors of the journal itself, which say nothing about the run. */
  async fail(path: string, error: AskemaError): Promise<void> {
    if (this.readOnly || this.broken !== undefined || NOT_OF_THE_RUN.has(error.code)) return;
    await this.append(path, { kind: 'end', status: 'failed', error: error.toJSON() }).catch(() => {});
  }

  async append(path: string, body: Body<JournalEntry>): Promise<void> {
    const entries = [...this.#waiting, this.#entry(path, body)];
    this.#waiting = [];
    if (this.broken !== undefined) throw this.broken;
    try {
      await this.#journal?.append(entries);
    } catch (thrown) {
      this.broken ??= toAskemaError(thrown);
      throw this.broken;
    }
  }

  #entry(path: string, body: Body<JournalEntry>): JournalEntry {
    return { schemaVersion: JOURNAL_SCHEMA_VERSION, at: this.#clock.now(), path, ...body } as JournalEntry;
  }

  #load(entry: JournalEntry): void {
    const { path } = entry;
    if (entry.kind === 'exec') this.#execs.set(path, entry);
    else if (entry.kind === 'step') this.#steps.set(path, entry);
    else if (entry.kind === 'call') this.#setCall(path, entry.value);
    else if (entry.kind === 'edit') this.#edits.set(path, entry.value);
    else if (entry.kind === 'failure' && entry.renew) this.#renew(path);
    else if (entry.kind === 'retry') this.#forgetEnds(path);
    else if (entry.kind === 'answer') this.#answers.set(path, { value: entry.value, stale: false });
    else if (entry.kind === 'suspend') {
      this.#requests.set(path, entry.value);
      this.#answers.delete(path);
    }
  }

  #forgetEnds(path: string): void {
    for (const { item, entry } of this.items(path)) {
      const { status } = decodeValue(entry.value) as { readonly status: string };
      if (status !== 'finished') this.#execs.delete(`${path}/${item}`);
    }
  }

  #setCall(path: string, encoded: JsonValue): void {
    this.#order += 1;
    this.#calls.set(path, { order: this.#order, value: () => decodeValue(encoded) });
  }

  #renew(path: string): void {
    this.#renewals.set(path, (this.#renewals.get(path) ?? 0) + 1);
    forgetBelow(this.#calls, path);
    for (const [at, answer] of this.#answers) {
      if (at.startsWith(`${path}/`)) this.#answers.set(at, { ...answer, stale: true });
    }
  }
}

/** `FLOW_NOT_DETERMINISTIC` at a path. */
export function notDeterministic(path: string, problem: string): AskemaError {
  return new AskemaError(
    'FLOW_NOT_DETERMINISTIC',
    `The run took a different path than its journal at \`${path}\`: ${problem}. \`prep\` and \`post\` may depend on nothing but their arguments; to go on with changed code, fork the run from that step.`,
    { details: { path } },
  );
}

function encode(value: unknown, what: string): JsonValue {
  try {
    return encodeValue(value);
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    throw new AskemaError(thrown.code, `${what} cannot be journaled. ${thrown.message}`, { cause: thrown });
  }
}
