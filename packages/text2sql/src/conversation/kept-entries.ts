import { createHash, randomUUID } from 'node:crypto';
import { AskemaError, type Journal, type JournalEntry, type JsonValue, journalInvalid } from '@askema/core';
import * as z from 'zod';
import {
  type ExplainedPart,
  KEPT_FACTS,
  type KeptTurn,
  MESSAGE_KINDS,
  type TurnAnswer,
  type Understood,
} from './conversation-options.ts';

/** Raised when older readers would misread an event. */
const SCHEMA_VERSION = 1;
const FLOW = 'conversation';
/** Stands where a run has the hash of its steps. */
const GRAPH = `${FLOW}@${SCHEMA_VERSION}`;

const choice = z.object({
  id: z.string(),
  meaning: z.string(),
  resolution: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('sql'), sql: z.string() }),
    z.object({ kind: z.literal('evidence'), text: z.string() }),
    z.object({
      kind: z.literal('question'),
      question: z.string(),
      database: z.string(),
      of: z.number().optional(),
    }),
  ]),
});

const understood = z.object({
  kind: z.enum(MESSAGE_KINDS),
  of: z.number().optional(),
  question: z.string().optional(),
  database: z.string().optional(),
  evidence: z.string().optional(),
  questions: z.array(z.string()).optional(),
  databases: z.array(z.string()).optional(),
  fact: z.enum(KEPT_FACTS).optional(),
  choice: z.string().optional(),
  asks: z.object({ ask: z.string(), choices: z.array(choice) }).optional(),
});

/** What a question gave. */
const outcome = [
  z.object({
    type: z.literal('answered'),
    runId: z.string(),
    sql: z.string(),
    columns: z.array(z.string()),
    rows: z.number(),
    truncated: z.boolean().optional(),
    explanation: z.string().optional(),
    assumptions: z.array(z.string()),
  }),
  z.object({
    type: z.literal('needsClarification'),
    runId: z.string().optional(),
    ask: z.string(),
    choices: z.array(choice),
  }),
  z.object({
    type: z.enum(['unanswerable', 'refused', 'budgetExceeded', 'cancelled', 'failed']),
    runId: z.string().optional(),
    reason: z.string(),
    error: z.any().optional(),
  }),
] as const;

const partAnswer = z.discriminatedUnion('type', outcome);
const answer = z.discriminatedUnion('type', [
  ...outcome,
  z.object({ type: z.literal('told'), reply: z.string() }),
  z.object({
    type: z.literal('explained'),
    parts: z.array(z.object({ question: z.string(), database: z.string().optional(), answer: partAnswer })),
  }),
]);

const spent = { usage: z.record(z.string(), z.any()), calls: z.number() };
const schemaVersion = z.literal(SCHEMA_VERSION);
const turn = z.number().int().min(1);

/** Something that happened in a conversation, as its journal keeps it. */
export type KeptEvent = NewEvent & { readonly schemaVersion: 1 };

/** What is added to a journal. `moved`: the next message follows another turn. */
type NewEvent =
  | (Pick<KeptTurn, 'turn' | 'after' | 'message' | 'today'> & {
      readonly type: 'said';
      /** Given as an answer, not as a message. */
      readonly isAnswer: boolean;
    })
  | (Pick<KeptTurn, 'turn' | 'usage' | 'calls'> & { readonly type: 'understood'; readonly understood: Understood })
  | (Pick<KeptTurn, 'turn' | 'usage' | 'calls'> & {
      readonly type: 'part';
      /** Which question of an explanation, from 1. */
      readonly part: number;
      readonly answer: ExplainedPart['answer'];
    })
  | (Pick<KeptTurn, 'turn' | 'usage' | 'calls'> & { readonly type: 'ended'; readonly answer: TurnAnswer })
  | { readonly type: 'moved'; readonly to: number };

const event: z.ZodType<KeptEvent> = z.discriminatedUnion('type', [
  z.object({
    schemaVersion,
    type: z.literal('said'),
    turn,
    after: z.number().int().min(0),
    message: z.string(),
    today: z.string(),
    isAnswer: z.boolean(),
  }),
  z.object({ schemaVersion, type: z.literal('understood'), turn, understood, ...spent }),
  z.object({
    schemaVersion,
    type: z.literal('part'),
    turn,
    part: z.number().int().min(1),
    answer: partAnswer,
    ...spent,
  }),
  z.object({ schemaVersion, type: z.literal('ended'), turn, answer, ...spent }),
  z.object({ schemaVersion, type: z.literal('moved'), to: z.number().int().min(0) }),
]);

const beginning = z.object({ schemaVersion, runs: z.string().min(1) });

/** What a journal holds of a conversation. */
export interface KeptEntries {
  /** In the ids of runs of its questions: unique to this conversation. Empty where nothing was said yet. */
  readonly runs: string;
  readonly events: readonly KeptEvent[];
  /** Finished model calls that read a message, by path. */
  readonly calls: ReadonlyMap<string, JsonValue>;
}

/**
 * Under which id a journal keeps a conversation. That of another tenant is another one, whatever the ids are: the
 * conversation's own stands last and cannot run into the tenant's.
 */
export function journalKey(id: string, tenant: string | undefined): string {
  const owner = tenant === undefined ? 'all' : createHash('sha256').update(tenant).digest('hex').slice(0, 16);
  return `${FLOW}-${owner}-${id}`;
}

/** Where the calls of a turn stand that belong to no question of its. */
export function turnPath(of: number, what: 'reading' | 'statement' | 'summary'): string {
  return `${GRAPH}/turn#${of}/${what}`;
}

/**
 * Reads what a journal gave.
 *
 * @throws AskemaError `JOURNAL_INVALID` for what is no conversation of this tenant or has another form.
 */
export function readEntries(entries: readonly JournalEntry[], key: string, tenant: string | undefined): KeptEntries {
  const [header, ...rest] = entries;
  const calls = new Map<string, JsonValue>();
  if (header === undefined) return { runs: '', events: [], calls };
  if (header.kind !== 'run' || header.graph !== GRAPH || header.runId !== key || header.tenant !== tenant)
    throw journalInvalid(key, 'does not begin as this conversation does');
  const begun = beginning.safeParse(header.state);
  if (!begun.success) throw journalInvalid(key, 'has a beginning without the ids of its runs');
  const events = rest.flatMap((entry, position): readonly KeptEvent[] => {
    const where = `${key}, entry ${position + 2},`;
    if (entry.kind !== 'call') throw journalInvalid(where, `is of kind ${entry.kind}`);
    if (entry.path.includes('/reading/')) {
      calls.set(entry.path, entry.value);
      return [];
    }
    const parsed = event.safeParse(entry.value);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    throw journalInvalid(where, `is no event of a conversation (${issue?.path.join('.')}: ${issue?.message})`);
  });
  return { runs: begun.data.runs, events, calls };
}

/** A conversation that is open for writing, by this value alone. */
export interface OpenConversation extends KeptEntries {
  add(event: NewEvent): Promise<void>;
  addCall(path: string, value: JsonValue): Promise<void>;
}

/** Opens a conversation for as long as `work` takes. Rejects with `JOURNAL_LOCKED` while somebody else has it open. */
export async function withOpen<T>(
  { journal, key, tenant, now }: KeptPlace,
  work: (open: OpenConversation) => Promise<T>,
): Promise<T> {
  const run = await journal.open(key);
  try {
    const read = readEntries(run.entries, key, tenant);
    const runs = read.runs === '' ? randomUUID() : read.runs;
    let isBegun = read.runs !== '';
    const append = async (path: string, value: JsonValue): Promise<void> => {
      const base = { schemaVersion: 1, at: now(), path } as const;
      const header = { ...base, kind: 'run', runId: key, flow: FLOW, version: SCHEMA_VERSION, graph: GRAPH } as const;
      const first: JournalEntry = {
        ...header,
        path: GRAPH,
        state: { schemaVersion: SCHEMA_VERSION, runs },
        tags: {},
        ...(tenant !== undefined && { tenant }),
      };
      const entry: JournalEntry = { ...base, kind: 'call', value };
      await run.append(isBegun ? [entry] : [first, entry]);
      isBegun = true;
    };
    return await work({
      ...read,
      runs,
      add: (added) => append(`${GRAPH}/${added.type}`, asJson({ schemaVersion: SCHEMA_VERSION, ...added })),
      addCall: append,
    });
  } finally {
    await run.close();
  }
}

/** Where a conversation is kept. */
export interface KeptPlace {
  readonly journal: Journal;
  readonly key: string;
  readonly tenant: string | undefined;
  readonly now: () => number;
}

/** Without what is undefined. */
function asJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

const LONE_SURROGATE = /\p{Cs}/u;

/** @throws AskemaError `CONFIG_INVALID` for an id that no journal can keep. */
export function checkId(id: string): string {
  if (typeof id === 'string' && id.trim() !== '' && id.length <= 100 && !LONE_SURROGATE.test(id)) return id;
  throw new AskemaError('CONFIG_INVALID', 'The `id` of a conversation is a text of 1 to 100 characters.');
}
