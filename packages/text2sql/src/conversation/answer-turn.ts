import {
  type AskemaError,
  type CallContext,
  createCallContext,
  type QueryResult,
  type Row,
  toAskemaError,
} from '@askema/core';
import { type CallCost, costOfError, NO_COST, sumCosts } from '../question/call-cost.ts';
import { answerOf, explain } from './ask-question.ts';
import type { KeptTurn, Turn, TurnAnswer, Understood } from './conversation-options.ts';
import { shownTurn } from './conversation-state.ts';
import { keepAnswer } from './keep-answer.ts';
import { turnPath } from './kept-entries.ts';
import { pointAtCells, type RowsOfTurn } from './point-at-cells.ts';
import { editedStatement, runStatement } from './run-statement.ts';
import { stepEvents } from './step-events.ts';
import { summarizeTurn } from './summarize-turn.ts';
import { NO_QUESTION, oneDatabase, tellAbout } from './tell-about.ts';
import { type BegunTurn, databaseOf, runIdOf, type TurnTools } from './turn-tools.ts';
import { keptCalls, understandMessage } from './understand-message.ts';

interface Understanding extends CallCost {
  readonly understood: Understood;
}

/** What a turn is answered with. `kept` is what the journal has of its cost, `spent` the rest. */
interface Given extends Pick<Turn, 'outcome' | 'outcomes' | 'summary' | 'summaryRefused'> {
  readonly answer: TurnAnswer;
  readonly spent: CallCost;
  readonly kept?: CallCost | undefined;
}

/** Reads a message, unless that was done before, and answers it. Each finding is kept before anything follows from it. */
export async function answerTurn(begun: BegunTurn, tools: TurnTools): Promise<Turn> {
  const { turn, open } = begun;
  const end = async (given: Given, before: CallCost & Pick<KeptTurn, 'understood'>): Promise<Turn> => {
    const { answer, spent, kept = NO_COST, ...shown } = given;
    await open.add({ type: 'ended', turn: turn.turn, answer, ...spent });
    const all = sumCosts(before, kept, spent);
    return { ...shownTurn(turn), understood: before.understood, answer, ...all, ...shown };
  };
  let known: Understanding;
  try {
    known = await understandingOf(begun, tools);
  } catch (thrown) {
    const error = toAskemaError(thrown);
    if (error.code === 'JOURNAL_INVALID' || error.code === 'JOURNAL_LOCKED') throw error;
    return end({ answer: brokenOff(error), spent: costOfError(error) }, { understood: undefined, ...NO_COST });
  }
  const given = await answerUnderstood(known.understood, begun, tools);
  const { spent, ...told } = await summarizeTurn(known.understood, given, begun, tools);
  return end({ ...given, ...told, spent: sumCosts(given.spent, spent) }, known);
}

async function answerUnderstood(understood: Understood, begun: BegunTurn, tools: TurnTools): Promise<Given> {
  const of = begun.path.find((one) => one.turn === understood.of);
  switch (understood.kind) {
    case 'none':
      return { answer: { type: 'told', reply: NO_QUESTION }, spent: NO_COST };
    case 'unclear': {
      if (understood.asks === undefined)
        return { answer: { type: 'told', reply: oneDatabase(Object.keys(tools.databases)) }, spent: NO_COST };
      const { ask, choices } = understood.asks;
      return { answer: { type: 'needsClarification', ask, choices }, spent: NO_COST };
    }
    case 'explain': {
      const { parts, outcomes, spent } = await explain(understood, of, begun, tools);
      return { answer: { type: 'explained', parts }, outcomes, kept: spent, spent: NO_COST };
    }
    default:
  }
  const { fact } = understood;
  const reply = understood.kind === 'about' && of !== undefined && fact !== undefined ? tellAbout(of, fact) : undefined;
  if (reply !== undefined) return { answer: { type: 'told', reply }, spent: NO_COST };
  const outcome =
    understood.kind === 'edit'
      ? await runStatement(editedStatement(begun, understood), begun, tools)
      : await answerOf(understood, of, begun, tools);
  if (outcome.type === 'answered') remember(outcome.runId, outcome.result, tools.shown);
  const { usage, calls } = outcome;
  return { answer: keepAnswer(outcome), outcome, spent: { usage, calls } };
}

async function understandingOf(begun: BegunTurn, tools: TurnTools): Promise<Understanding> {
  const { turn, path, open, given } = begun;
  const { usage, calls } = turn;
  if (turn.understood !== undefined) return { understood: turn.understood, usage, calls };
  const { databases, titles, solver, tenant, clock } = tools;
  const place = { runId: runIdOf(begun), path: turnPath(turn.turn, 'reading'), turn: turn.turn };
  const events = stepEvents('read-message', place, clock, [tools.onEvent, given.onEvent]);
  const { runId } = place;
  const base = createCallContext({
    ...{ runId, path: place.path, tags: given.tags ?? {}, tenant, signal: given.signal, emit: events.call },
  });
  const context: CallContext = { ...base, memo: keptCalls(open, base) };
  events.started();
  try {
    const { message, isAnswer } = turn;
    const { database, standsAlone = false } = given;
    const reading = await understandMessage(
      { message, isAnswer, path, databases, titles, database, standsAlone, solver },
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

/** Results that are held in memory for "the second one". */
const MAX_SHOWN = 5;

function remember(runId: string, result: QueryResult, shown: TurnTools['shown']): void {
  shown.set(runId, result);
  for (const oldest of shown.keys()) {
    if (shown.size <= MAX_SHOWN) break;
    shown.delete(oldest);
  }
}

function rowsOf({ signal, tags }: BegunTurn['given'], tools: TurnTools): RowsOfTurn {
  return async ({ answer, understood }, most) => {
    if (answer.type !== 'answered') return { columns: [], rows: [] };
    const held = tools.shown.get(answer.runId);
    if (held !== undefined) return held;
    const { tenant } = tools;
    const store = databaseOf(understood?.database ?? '', tools);
    const stream = await store.stream(answer.sql, { maxRows: most, signal, tags, tenant });
    const rows: Row[] = [];
    for await (const batch of stream) rows.push(...batch);
    return { columns: stream.columns, rows };
  };
}

/** A turn whose message could not be read. */
function brokenOff(error: AskemaError): TurnAnswer {
  const type = error.code === 'ABORTED' ? 'cancelled' : error.code === 'BUDGET_EXCEEDED' ? 'budgetExceeded' : 'failed';
  return { type, reason: error.message, error: error.toJSON() };
}
