import { type JournalEntry, type JsonValue, journalInvalid } from '@askema/core';
import * as z from 'zod';

const VERSION = 1;
const RECORD_GRAPH = `server-run@${VERSION}`;

/** What the server was asked to do: enough to begin it again. */
export const REQUEST = z.object({
  kind: z.enum(['question', 'conversation', 'design']),
  /** Undefined until it is found. */
  database: z.string().optional(),
  /** The question as it was asked; of a conversation its title, of a design its requirement. */
  text: z.string(),
  /** What went along with a question. */
  options: z.looseObject({}).optional(),
});
export type RunRequest = z.infer<typeof REQUEST>;

/** What it cost to find the database of a question. */
const COST = { usage: z.record(z.string(), z.number().optional()).optional(), calls: z.int().optional() };

/**
 * `placed`: the question is about this database, and `run` is the first that asks it. `answered`: what `run` had asked
 * back was answered; another run, `next`, goes on with it. `withdrawn`: that answer was none. `ended`: with `json`, the
 * whole outcome where it has no rows; the others are read from the run. `left`: nobody reads it any more, or it could not
 * be worked on; `resumed`: somebody works on it again. These two are written where several servers share the runs:
 * elsewhere, who works on a run has its record open.
 */
const MARK = z.discriminatedUnion('type', [
  z.object({ type: z.literal('placed'), run: z.string(), database: z.string(), ...COST }),
  z.object({ type: z.literal('answered'), run: z.string(), next: z.string(), answer: z.string() }),
  z.object({ type: z.literal('withdrawn'), next: z.string() }),
  z.object({ type: z.literal('left'), run: z.string() }),
  z.object({ type: z.literal('resumed'), run: z.string() }),
  z.object({
    ...{ type: z.literal('ended'), run: z.string(), outcome: z.string() },
    ...{ elapsedMs: z.number().optional(), json: (z.json() as z.ZodType<JsonValue>).optional() },
  }),
]);
export type RunMark = z.infer<typeof MARK>;

/** What the server keeps of a question or a conversation, beside its run. */
export interface RunRecord extends RunRequest {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly marks: readonly RunMark[];
}

export function headerOf(key: string, request: RunRequest, at: number): JournalEntry {
  const state = asJson({ schemaVersion: VERSION, ...request });
  const place = { schemaVersion: 1, at, path: RECORD_GRAPH } as const;
  return {
    ...place,
    kind: 'run',
    runId: key,
    flow: 'server-run',
    version: VERSION,
    graph: RECORD_GRAPH,
    state,
    tags: {},
  };
}

export function markEntry(mark: RunMark, at: number): JournalEntry {
  return { schemaVersion: 1, at, path: `${RECORD_GRAPH}/${mark.type}`, kind: 'call', value: asJson(mark) };
}

/** What a journal holds under a key; undefined where it holds nothing. @throws AskemaError `JOURNAL_INVALID`. */
export function readRecord(id: string, entries: readonly JournalEntry[]): RunRecord | undefined {
  const [header, ...rest] = entries;
  if (header === undefined) return undefined;
  const request =
    header.kind === 'run' && header.graph === RECORD_GRAPH ? REQUEST.safeParse(header.state).data : undefined;
  if (request === undefined) throw journalInvalid(id, 'does not begin as a record of the server does');
  const marks = rest.flatMap((entry) => {
    const mark = entry.kind === 'call' ? MARK.safeParse(entry.value).data : undefined;
    return mark === undefined ? [] : [mark];
  });
  const record = { ...request, id, at: header.at, marks };
  return { ...record, database: placeOf(record)?.database ?? request.database };
}

/** The mark that says where a question was asked; undefined where whoever asked has said it. */
export function placeOf(record: RunRecord | undefined): Extract<RunMark, { readonly type: 'placed' }> | undefined {
  return record?.marks.findLast((mark) => mark.type === 'placed');
}

/**
 * The run of text2sql behind a run. Where an answer has said which database is meant, the first run asked none, so
 * they are one behind.
 */
export function askedRun(record: RunRecord, run: string): string {
  if ((placeOf(record)?.run ?? record.id) === record.id) return run;
  const number = Number(run.slice(record.id.length + 1)) - 1;
  return number < 2 ? record.id : `${record.id}~${number}`;
}

/** How a run ended; undefined while it has not. */
export function endOf({ marks }: RunRecord, run: string): Extract<RunMark, { readonly type: 'ended' }> | undefined {
  return marks.filter((mark) => mark.type === 'ended').findLast((mark) => mark.run === run);
}

/** The answer that a run began with; undefined for one that began with a question. */
export function answerOf(
  { marks }: RunRecord,
  run: string,
): Extract<RunMark, { readonly type: 'answered' }> | undefined {
  const last = marks.findLast((mark) => 'next' in mark && mark.next === run);
  return last?.type === 'answered' ? last : undefined;
}

/** How often a run has ended. */
export function endsOf({ marks }: RunRecord, run: string): number {
  return marks.filter((mark) => mark.type === 'ended' && mark.run === run).length;
}

/** How a run stands where several servers share it; undefined for one that nobody has begun. */
export function standingOf(record: RunRecord, run: string): 'running' | 'interrupted' | 'ended' | undefined {
  if (run !== record.id && answerOf(record, run) === undefined) return undefined;
  const last = record.marks
    .filter((mark) => mark.type === 'left' || mark.type === 'resumed' || mark.type === 'ended')
    .findLast((mark) => mark.run === run);
  return last === undefined ? 'running' : STANDING[last.type];
}

const STANDING = { left: 'interrupted', resumed: 'running', ended: 'ended' } as const;

/** Without what is undefined. */
function asJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
