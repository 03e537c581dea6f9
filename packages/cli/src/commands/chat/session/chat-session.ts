import { AskemaError, type Outcome, type QueryResult, type Row, toAskemaError } from '@askema/core';
import type { Conversation, KeptTurn, SayOptions, Turn } from '@askema/text2sql';
import { historyFolder } from '../../../history/history-folder.ts';
import { recordRun } from '../../../history/record-run.ts';
import type { CommandContext } from '../../../process/command-context.ts';
import { printableLines } from '../../../terminal/printable.ts';
import { startProgressLine } from '../../../terminal/progress-line.ts';
import { createRunProgress } from '../../ask/run-progress.ts';
import type { ChatInput } from '../input/chat-input.ts';
import type { Stopper } from '../input/stopper.ts';
import type { ChatFlags } from './chat-flags.ts';
import type { ChatDatabase, ChatDatabases } from './open-databases.ts';
import { printTurn } from './print-turn.ts';

type AnsweredOutcome = Extract<Outcome, { readonly type: 'answered' }>;

/** A chat that goes on. */
export interface ChatSession {
  readonly context: CommandContext;
  readonly flags: ChatFlags;
  readonly databases: ChatDatabases;
  readonly input: ChatInput;
  readonly stopper: Stopper;
  /** Where conversations are kept; undefined where nothing is. */
  readonly folder: string | undefined;
  /** The one that goes on. */
  talk: Conversation;
  /** Answers with rows, of this process, by turn; a few. */
  readonly held: Map<number, readonly Outcome[]>;
  /** The database of the last turn that has one. */
  lastDatabase: string | undefined;
  /** The database that `/use` has chosen; without it each message says which it is about. */
  chosen: string | undefined;
  /** Whether the last message was answered; true where nothing was said yet. */
  isLastAnswered: boolean;
  /** Whether a command could not be done. */
  hasFailedCommand: boolean;
  isLeaving: boolean;
  /** Begins a new conversation. */
  begin(): Promise<void>;
  /** Called before a message is said. */
  beforeMessage(title: string): Promise<void>;
}

/** Rows that a terminal gets unasked. */
export const MOST_SHOWN = 40;

/** Turns of which the rows are held. */
const MAX_HELD = 5;

/** Says something, and shows what became of it. Rejects as `Conversation.say`. */
export async function takeTurn(
  chat: ChatSession,
  message: string,
  signal: AbortSignal,
  say: (options: Pick<SayOptions, 'signal' | 'onEvent'>) => Promise<Turn>,
): Promise<void> {
  const { context, databases, held } = chat;
  chat.isLastAnswered = false;
  await chat.beforeMessage(message);
  const line = startProgressLine(context.err);
  const startedAt = performance.now();
  let turn: Turn;
  try {
    turn = await say({ signal, onEvent: createRunProgress(line) });
  } finally {
    await line.stop();
  }
  const asked = outcomesOf(turn).map((outcome, part) => {
    const database = databases.named(databaseOf(turn, part));
    return { database, outcome: outcome && database.explain(outcome) };
  });
  const outcomes = asked.map((one) => one.outcome);
  const shown = outcomes.filter((one) => one !== undefined);
  held.set(turn.turn, shown);
  for (const oldest of held.keys()) if (held.size > MAX_HELD) held.delete(oldest);
  const { type } = turn.answer;
  chat.isLastAnswered = type === 'answered' || type === 'explained' || type === 'told';
  chat.lastDatabase = turn.understood?.database ?? chat.lastDatabase;
  if (type !== 'needsClarification') databases.forgetRuns();
  try {
    await printTurn(chat, turn, outcomes, performance.now() - startedAt);
  } finally {
    for (const { outcome, database } of asked) if (outcome !== undefined) await keepRun(chat, turn, outcome, database);
  }
}

/** Says a message. */
export function sayMessage(
  chat: ChatSession,
  message: string,
  signal: AbortSignal,
  more: Pick<SayOptions, 'standsAlone' | 'database'> = {},
): Promise<void> {
  const { given } = chat.databases;
  const summarize = chat.flags.summarize === true ? 'always' : 'explain';
  return takeTurn(chat, message, signal, (options) =>
    chat.talk.say(message, { ...given, summarize, database: chat.chosen, ...options, ...more }),
  );
}

function outcomesOf({ outcome, outcomes = [] }: Turn): readonly (Outcome | undefined)[] {
  return outcome === undefined ? outcomes : [outcome];
}

/** Flags of `askema ask` that this chat has as well. */
function askFlags({ id: _, continue: _c, list: _l, chart: _ch, summarize: _s, ...flags }: ChatFlags): object {
  return { ...flags, format: 'table' };
}

/** Runs of a chat are kept as those of `askema ask`, so that they can be shown, repeated and learned from. */
async function keepRun(chat: ChatSession, { understood }: Turn, outcome: Outcome, database: ChatDatabase) {
  if (chat.folder === undefined) return;
  const { context, flags } = chat;
  const { host, err } = context;
  try {
    const folder = historyFolder(host.env);
    if (folder === undefined) return;
    const texts = [chat.databases.given.evidence, understood?.evidence].filter((text) => text !== undefined);
    const evidence = texts.length === 0 ? {} : { evidence: texts.join('\n\n') };
    const { question } = outcome;
    const request = { cwd: host.cwd, database: database.address, question };
    await recordRun(folder, outcome, { ...request, flags: { ...askFlags(flags), ...evidence } }, undefined);
  } catch (error) {
    const { message } = toAskemaError(error);
    await err.write(`${err.yellow('note:')} this answer is not in the history: ${printableLines(message)}\n`);
  }
}

/** A statement that has answered a question. */
export interface KeptStatement {
  readonly turn: number;
  /** Of an explanation, from 0. */
  readonly part: number;
  /** Undefined for a statement that a person wrote. */
  readonly question: string | undefined;
  readonly sql: string;
  readonly explanation?: string | undefined;
  readonly assumptions: readonly string[];
  readonly runId: string;
  readonly database: ChatDatabase;
  /** With rows, where this process has them. */
  readonly outcome?: AnsweredOutcome | undefined;
}

/** The question of a turn; undefined where a person wrote the statement: nobody says what that answers. */
export function questionOf({ understood, message }: KeptTurn): string | undefined {
  return understood?.kind === 'edit' ? undefined : (understood?.question ?? message);
}

/** The database of a turn, or of a part of an explanation. */
export function databaseOf({ answer, understood }: KeptTurn, part = 0): string | undefined {
  return (answer.type === 'explained' ? answer.parts[part]?.database : undefined) ?? understood?.database;
}

/** The statements of a turn: one, or those of the parts of an explanation. */
export function statementsOf(chat: ChatSession, turn: KeptTurn): readonly KeptStatement[] {
  const { answer } = turn;
  const whole = questionOf(turn);
  const parts = answer.type === 'explained' ? answer.parts : [{ question: whole, answer }];
  return parts.flatMap(({ question, answer: of }, part): readonly KeptStatement[] => {
    if (of.type !== 'answered') return [];
    const { sql, explanation, assumptions, runId } = of;
    const outcome = chat.held.get(turn.turn)?.find((one) => one.runId === runId && one.type === 'answered');
    return [
      {
        ...{ turn: turn.turn, part, question, sql, explanation, assumptions, runId },
        outcome: outcome as AnsweredOutcome | undefined,
        // Only when it is asked: what was said can be read where the database is not open any more.
        get database() {
          return chat.databases.named(databaseOf(turn, part));
        },
      },
    ];
  });
}

/**
 * The statements of the last turn that has any, or of one turn.
 *
 * @throws AskemaError `INPUT_INVALID` where there is none.
 */
export async function lastStatements(chat: ChatSession, number?: number): Promise<readonly KeptStatement[]> {
  const turns = await chat.talk.turns();
  const looked = number === undefined ? [...turns].reverse() : turns.filter((one) => one.turn === number);
  for (const turn of looked) {
    const found = statementsOf(chat, turn);
    if (found.length > 0) return found;
  }
  throw new AskemaError(
    'INPUT_INVALID',
    number === undefined ? 'Nothing was answered yet.' : `Turn ${number} has no SQL. /turns lists the turns.`,
  );
}

/** The rows of an answer: those that were shown, or, in a later session, of its statement. */
export async function resultOf(
  { database, outcome, sql }: KeptStatement,
  maxRows: number,
  signal: AbortSignal,
): Promise<QueryResult> {
  if (outcome !== undefined) return outcome.result;
  const stream = await database.store.stream(sql, { maxRows, signal });
  const rows: Row[] = [];
  for await (const batch of stream) for (const row of batch) rows.push(row);
  return { columns: stream.columns, rows, ...stream.end } as QueryResult;
}
