import { AskemaError, type SerializedError } from '../errors/askema-error.ts';
import type { JsonValue } from '../values/value.ts';

/** The version of the entries below; raised when older readers would misread them. */
export const JOURNAL_SCHEMA_VERSION = 1;

/** What every entry carries. */
interface JournalEntryBase {
  readonly schemaVersion: 1;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Where in the run: `flow@version/step#visit/item/call#n`. */
  readonly path: string;
}

/**
 * One line of a run's memory. Values are encoded with `encodeValue`. A journal is only ever appended to; what counts
 * is:
 * - `run`: the first entry. `graph` is the hash of steps and routes, `state` the state at the start.
 * - `exec`: a finished `exec` (of a step or of one item of a batch). `input` is the hash of what `prep` returned. At
 *   the path of an item of a parallel node: how it ended, `{ status, action?, error? }`; `input` is the hash of the
 *   state it began with.
 * - `call`: a finished `memo` call.
 * - `step`: the action that `post` returned.
 * - `failure`: an attempt or a call that failed. With `renew`, the calls recorded below its path until then no longer
 *   count.
 * - `retry`: at the path of a parallel node: its items that had failed or been stopped until then go on, and how they
 *   ended no longer counts.
 * - `suspend`, `answer`: a request to somebody outside, and what came back.
 * - `edit`: the state that a forked run goes on with at this step.
 * - `end`: the run is over; a failed one can still be resumed.
 */
export type JournalEntry = JournalEntryBase &
  (
    | {
        readonly kind: 'run';
        readonly runId: string;
        readonly flow: string;
        readonly version: number;
        readonly graph: string;
        readonly state: JsonValue;
        readonly tags: Readonly<Record<string, string>>;
        readonly tenant?: string | undefined;
        readonly forkedFrom?: { readonly runId: string; readonly path: string } | undefined;
      }
    | {
        readonly kind: 'exec';
        readonly input?: string | undefined;
        readonly attempts: number;
        readonly value: JsonValue;
      }
    | { readonly kind: 'call'; readonly value: JsonValue }
    | { readonly kind: 'step'; readonly action: string }
    | { readonly kind: 'failure'; readonly error: SerializedError; readonly renew: boolean }
    | { readonly kind: 'retry' }
    | { readonly kind: 'suspend'; readonly value: JsonValue }
    | { readonly kind: 'answer'; readonly value: JsonValue }
    | { readonly kind: 'edit'; readonly value: JsonValue }
    | {
        readonly kind: 'end';
        readonly status: 'finished';
        readonly action: string;
        readonly state?: string | undefined;
      }
    | { readonly kind: 'end'; readonly status: 'failed'; readonly error: SerializedError }
  );

/** An entry of one kind. */
export type JournalEntryOf<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { readonly kind: Kind }>;

/**
 * Where runs are remembered. `memoryJournal()` and `jsonlJournal()` (from `@askema/core/node`) are the ones that come
 * along; another store needs these three methods.
 *
 * All of them reject with `JOURNAL_INVALID` when what is stored cannot be read.
 */
export interface Journal {
  /**
   * Opens a run for writing, whether it exists or not. Rejects with `JOURNAL_LOCKED` while somebody else has it open.
   */
  open(runId: string): Promise<RunJournal>;
  /** The entries of a run so far, without opening it; none when there is no such run. */
  read(runId: string): Promise<readonly JournalEntry[]>;
  /**
   * The runs that have entries. With `last`, those whose ids come last, the last one first; else in no particular order.
   */
  runIds(options?: RunIdsOptions): Promise<readonly string[]>;
}

/** Which runs are listed. Ids are compared by the codes of their characters (UTF-16). */
export interface RunIdsOptions {
  /** Those that begin with this. */
  readonly startsWith?: string | undefined;
  /** Those that come before this one. */
  readonly before?: string | undefined;
  /** At most so many. */
  readonly last?: number | undefined;
}

/** A run that is open for writing, by this process alone. */
export interface RunJournal {
  /** What was there when it was opened. */
  readonly entries: readonly JournalEntry[];
  /**
   * Adds entries in the order of the calls. Resolves when they will survive the process. After one rejection all
   * further calls reject, so that nothing is ever missing in the middle.
   */
  append(entries: readonly JournalEntry[]): Promise<void>;
  /** Lets others open the run. Closing twice is allowed. */
  close(): Promise<void>;
  /** Forgets the run, and closes it: there is no such run then. Absent where a journal cannot forget. */
  remove?(): Promise<void>;
}

/** The ids that {@link RunIdsOptions} choose, for those who write a journal. */
export function chooseRunIds(
  ids: Iterable<string>,
  { startsWith = '', before, last }: RunIdsOptions = {},
): readonly string[] {
  const chosen = [...ids].filter((id) => id.startsWith(startsWith) && (before === undefined || id < before));
  return last === undefined ? chosen : chosen.sort().reverse().slice(0, last);
}

const FIELDS: { readonly [Kind in JournalEntry['kind']]: readonly (readonly [field: string, type: string])[] } = {
  run: [
    ['runId', 'string'],
    ['flow', 'string'],
    ['version', 'number'],
    ['graph', 'string'],
    ['state', 'json'],
    ['tags', 'object'],
  ],
  exec: [
    ['attempts', 'number'],
    ['value', 'json'],
  ],
  call: [['value', 'json']],
  step: [['action', 'string']],
  failure: [
    ['error', 'object'],
    ['renew', 'boolean'],
  ],
  retry: [],
  suspend: [['value', 'json']],
  answer: [['value', 'json']],
  edit: [['value', 'json']],
  end: [['status', 'string']],
};

/**
 * A parsed line as an entry, for those who write a journal. `where` names the place in messages:
 * `runs/r1.jsonl, line 3`.
 *
 * @throws AskemaError `JOURNAL_INVALID`.
 */
export function parseJournalEntry(json: unknown, where: string): JournalEntry {
  const entry = (typeof json === 'object' && json !== null ? json : {}) as Readonly<Record<string, unknown>>;
  if (typeof entry.schemaVersion === 'number' && entry.schemaVersion > JOURNAL_SCHEMA_VERSION) {
    throw journalInvalid(
      where,
      `has schemaVersion ${entry.schemaVersion}, which a newer version of @askema/core wrote; this one reads ${JOURNAL_SCHEMA_VERSION}`,
    );
  }
  const kind = entry.kind;
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) {
    throw journalInvalid(where, 'is no journal entry');
  }
  const required = [
    ['schemaVersion', 'number'],
    ['at', 'number'],
    ['path', 'string'],
    ...FIELDS[kind as JournalEntry['kind']],
  ] as const;
  for (const [field, type] of required) {
    const value = Object.hasOwn(entry, field) ? entry[field] : undefined;
    const fits = type === 'json' ? value !== undefined : type === 'object' ? isObject(value) : typeof value === type;
    if (!fits) throw journalInvalid(where, `is an entry of kind ${kind} without a valid \`${field}\``);
  }
  return entry as unknown as JournalEntry;
}

/** `JOURNAL_INVALID` for a place and what is wrong with it. */
export function journalInvalid(where: string, problem: string, cause?: unknown): AskemaError {
  return new AskemaError(
    'JOURNAL_INVALID',
    `The journal cannot be read: ${where} ${problem}. Restore it from a copy, or start the run anew under another run id.`,
    cause === undefined ? {} : { cause },
  );
}

/** `JOURNAL_LOCKED`: somebody else has the run open. */
export function journalLocked(runId: string, holder: string): AskemaError {
  return new AskemaError(
    'JOURNAL_LOCKED',
    `Run \`${runId}\` is open in ${holder}; wait until that has ended, or use another run id.`,
    { retryable: true },
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
