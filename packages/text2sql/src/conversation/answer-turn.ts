import {
  AskemaError,
  addUsage,
  type CallContext,
  type Clock,
  createCallContext,
  type EventSink,
  type Outcome,
  type QueryResult,
  type Row,
  type Solver,
  toAskemaError,
  type Usage,
} from '@askema/core';
import type { AskOptions, Text2Sql } from '../text2sql-options.ts';
import type { KeptTurn, SayOptions, Turn, TurnAnswer, Understood } from './conversation-options.ts';
import { type StoredTurn, shownTurn } from './conversation-state.ts';
import { keepAnswer } from './keep-answer.ts';
import { type OpenConversation, readingPath } from './kept-entries.ts';
import { pointAtCells, type RowsOfTurn } from './point-at-cells.ts';
import { readingEvents, toAll } from './reading-events.ts';
import { NO_QUESTION, tellAbout } from './tell-about.ts';
import { keptCalls, understandMessage } from './understand-message.ts';

/** What all turns of a conversation are answered with. */
export interface TurnTools {
  readonly databases: Readonly<Record<string, Text2Sql>>;
  readonly solver: Solver;
  readonly tenant: string | undefined;
  readonly clock: Clock;
  readonly onEvent: EventSink | undefined;
  /** The results that this process has shown last, by turn. */
  readonly shown: Map<number, QueryResult>;
}

/** A turn that has begun. */
export interface BegunTurn {
  readonly turn: StoredTurn;
  /** The turns before it. */
  readonly path: readonly KeptTurn[];
  readonly open: OpenConversation;
  readonly given: SayOptions & { readonly signal: AbortSignal };
}

interface Understanding {
  readonly understood: Understood;
  readonly usage: Usage;
  readonly calls: number;
}

/** Reads a message, unless that was done before, and answers it. Each finding is kept before anything follows from it. */
export async function answerTurn(begun: BegunTurn, tools: TurnTools): Promise<Turn> {
  const { turn, open } = begun;
  const end = async (
    answer: TurnAnswer,
    spent: Pick<KeptTurn, 'usage' | 'calls'>,
    before: Pick<KeptTurn, 'understood' | 'usage' | 'calls'>,
    outcome?: Outcome,
  ): Promise<Turn> => {
    await open.add({ type: 'ended', turn: turn.turn, answer, usage: spent.usage, calls: spent.calls });
    const usage = addUsage(before.usage, spent.usage);
    const calls = before.calls + spent.calls;
    const { understood } = before;
    return { ...shownTurn(turn), understood, answer, usage, calls, ...(outcome && { outcome }) };
  };
  let known: Understanding;
  try {
    known = await understandingOf(begun, tools);
  } catch (thrown) {
    const error = toAskemaError(thrown);
    if (error.code === 'JOURNAL_INVALID' || error.code === 'JOURNAL_LOCKED') throw error;
    const { usage = {}, calls = 0 } = error.details as Partial<Pick<KeptTurn, 'usage' | 'calls'>>;
    return end(brokenOff(error), { usage, calls }, { understood: undefined, usage: {}, calls: 0 });
  }
  const { understood } = known;
  const nothing = { usage: {}, calls: 0 };
  if (understood.kind === 'none') return end({ type: 'told', reply: NO_QUESTION }, nothing, known);
  if (understood.kind === 'unclear') {
    const { ask, choices } = understood.asks ?? { ask: NO_QUESTION, choices: [] };
    return end({ type: 'needsClarification', ask, choices }, nothing, known);
  }
  const of = begun.path.find((one) => one.turn === understood.of);
  if (understood.kind === 'about' && of !== undefined && understood.fact !== undefined)
    return end({ type: 'told', reply: tellAbout(of, understood.fact) }, nothing, known);
  const outcome = await ask(understood, of, begun, tools);
  if (outcome.type === 'answered') remember(turn.turn, outcome.result, tools.shown);
  return end(keepAnswer(outcome), outcome, known, outcome);
}

async function understandingOf(begun: BegunTurn, tools: TurnTools): Promise<Understanding> {
  const { turn, path, open, given } = begun;
  const { usage, calls } = turn;
  if (turn.understood !== undefined) return { understood: turn.understood, usage, calls };
  const { databases, solver, tenant, clock } = tools;
  const place = { runId: runIdOf(begun), path: readingPath(turn.turn), turn: turn.turn };
  const events = readingEvents(place, clock, [tools.onEvent, given.onEvent]);
  const { runId } = place;
  const base = createCallContext({
    ...{ runId, path: place.path, tags: given.tags ?? {}, tenant, signal: given.signal, emit: events.call },
  });
  const context: CallContext = { ...base, memo: keptCalls(open, base) };
  events.started();
  try {
    const { message, today, isAnswer } = turn;
    const { database, standsAlone = false } = given;
    const reading = await understandMessage(
      { message, today, isAnswer, path, databases, database, standsAlone, solver },
      context,
    );
    const { isRewritten, understood: read } = reading;
    const understood = isRewritten ? await pointAtCells(read, path, rowsOf(given, tools)) : read;
    const spent = { usage: reading.usage, calls: reading.calls };
    await open.add({ type: 'understood', turn: turn.turn, understood, ...spent });
    events.finished(understood.kind);
    return { understood, ...spent };
  } catch (thrown) {
    events.failed(toAskemaError(thrown).toJSON());
    throw thrown;
  }
}

/** The question of a turn, or the answer to what another turn has asked back. */
async function ask(
  understood: Understood,
  of: KeptTurn | undefined,
  begun: BegunTurn,
  tools: TurnTools,
): Promise<Outcome> {
  const { turn, given } = begun;
  const { question = turn.message, database = '', kind, choice } = understood;
  const { signal, documents, tags } = given;
  const store = databaseOf(database, tools);
  const runId = runIdOf(begun);
  const onEvent = toAll([tools.onEvent, given.onEvent]);
  const asked = of?.answer;
  const base: AskOptions = { signal, documents, tags, tenant: tools.tenant, today: turn.today, onEvent, runId };
  if (kind === 'answer' && choice !== undefined && asked?.type === 'needsClarification') {
    const chosen = asked.choices.find(({ id }) => id === choice);
    if (asked.runId !== undefined) {
      const resumed = await unlessUnknown(store.resume(asked.runId, { answer: choice, signal, onEvent }));
      if (resumed !== undefined) return resumed;
    }
    // Its run is not there any more, or was answered otherwise: asked anew, with what was decided.
    const decided = `Asked back: ${asked.ask}\nAnswered: ${chosen?.meaning ?? choice}`;
    const sql = chosen?.resolution.kind === 'sql' ? chosen.resolution.sql : undefined;
    const follows = sql === undefined ? undefined : { question: chosen?.meaning ?? question, sql };
    return store.ask(question, {
      ...base,
      evidence: joined(given.evidence, of?.understood?.evidence, decided),
      follows,
    });
  }
  const ofEvidence = kind === 'refine' ? of?.understood?.evidence : undefined;
  const follows =
    kind === 'refine' && asked?.type === 'answered'
      ? { question: of?.understood?.question ?? of?.message ?? '', sql: asked.sql }
      : undefined;
  return store.ask(question, { ...base, evidence: joined(given.evidence, ofEvidence, understood.evidence), follows });
}

/** Undefined where the run is not known, or no journal is there to know it. */
async function unlessUnknown(resumed: Promise<Outcome>): Promise<Outcome | undefined> {
  try {
    return await resumed;
  } catch (thrown) {
    const { code } = toAskemaError(thrown);
    if (code === 'CONFIG_INVALID' || code === 'INPUT_INVALID') return undefined;
    throw thrown;
  }
}

function joined(...texts: readonly (string | undefined)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined && text !== '');
  return given.length === 0 ? undefined : given.join('\n\n');
}

/** Results that are held in memory for "the second one". */
const MAX_SHOWN = 5;

function remember(turn: number, result: QueryResult, shown: TurnTools['shown']): void {
  shown.set(turn, result);
  for (const oldest of shown.keys()) {
    if (shown.size <= MAX_SHOWN) break;
    shown.delete(oldest);
  }
}

function rowsOf({ signal, tags }: BegunTurn['given'], tools: TurnTools): RowsOfTurn {
  return async ({ turn, answer, understood }, most) => {
    const held = tools.shown.get(turn);
    if (held !== undefined) return held;
    if (answer.type !== 'answered') return { columns: [], rows: [] };
    const { tenant } = tools;
    const store = databaseOf(understood?.database ?? '', tools);
    const stream = await store.stream(answer.sql, { maxRows: most, signal, tags, tenant });
    const rows: Row[] = [];
    for await (const batch of stream) rows.push(...batch);
    return { columns: stream.columns, rows };
  };
}

function databaseOf(name: string, { databases }: TurnTools): Text2Sql {
  const found = Object.hasOwn(databases, name) ? databases[name] : undefined;
  if (found !== undefined) return found;
  throw new AskemaError(
    'INPUT_INVALID',
    `The conversation speaks of the database \`${name}\`, which is not among \`databases\`: ${Object.keys(databases).join(', ')}.`,
  );
}

/** Never that of another conversation, also where one was deleted and begun anew under its id. */
function runIdOf({ turn, open }: BegunTurn): string {
  return `conversation-${open.runs}.${turn.turn}`;
}

/** A turn whose message could not be read. */
function brokenOff(error: AskemaError): TurnAnswer {
  const type = error.code === 'ABORTED' ? 'cancelled' : error.code === 'BUDGET_EXCEEDED' ? 'budgetExceeded' : 'failed';
  return { type, reason: error.message, error: error.toJSON() };
}
