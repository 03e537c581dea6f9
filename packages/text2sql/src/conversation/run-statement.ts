import {
  type AskemaError,
  type Outcome,
  type OutcomeBase,
  QUERY_DEFAULTS,
  type Row,
  toAskemaError,
} from '@askema/core';
import { checkWritten } from '../check-options.ts';
import { withJson } from '../outcome/outcome-json.ts';
import { isRefusal } from '../steps/view-result.ts';
import type { KeptTurn, Understood } from './conversation-options.ts';
import { turnPath } from './kept-entries.ts';
import { toldOfOther } from './other-database.ts';
import { stepEvents } from './step-events.ts';
import { type BegunTurn, databaseOf, runIdOf, type TurnTools } from './turn-tools.ts';

/** How a statement that a person wrote is called where questions stand: nobody knows which one it answers. */
const OWN_STATEMENT = "(a statement of the person's own)";

/** A statement that no model writes now, and the question that it is said to answer. */
export interface GivenStatement {
  readonly sql: string;
  readonly question: string;
  readonly database: string;
  readonly runId: string;
}

/** A person's statement in place of that of another turn: the message of an `edit`. */
export function editedStatement(begun: BegunTurn, { database = '' }: Understood): GivenStatement {
  return { sql: begun.turn.message, question: OWN_STATEMENT, database, runId: runIdOf(begun) };
}

/** The question of a turn, as it stands alone. */
export function questionOf({ understood, message }: Pick<KeptTurn, 'understood' | 'message'>): string {
  return understood?.kind === 'edit' ? OWN_STATEMENT : (understood?.question ?? message);
}

/** The last turn that has a statement. */
export function lastStatement(path: readonly KeptTurn[]): KeptTurn | undefined {
  return path.findLast(({ answer }) => answer.type === 'answered');
}

/**
 * The outcome of a statement as it is given, through the read path of its database and with as many rows as an answer
 * has by default. Nobody says what it stands on or takes for granted, so `basedOn` and `assumptions` are empty. Never
 * rejects for what an outcome can say.
 */
export async function runStatement(given: GivenStatement, begun: BegunTurn, tools: TurnTools): Promise<Outcome> {
  const { sql, question, runId } = given;
  const { clock, tenant, onEvent } = tools;
  const { signal, tags } = begun.given;
  const { turn } = begun.turn;
  const store = databaseOf(given.database, tools);
  const events = stepEvents('run-statement', { runId, path: turnPath(turn, 'statement'), turn }, clock, [
    onEvent,
    begun.given.onEvent,
  ]);
  const startedAt = clock.now();
  const base = (): OutcomeBase => ({
    ...{ question, runId, sql, candidates: [], usage: {}, calls: 0, executions: 1, warnings: [] },
    elapsedMs: clock.now() - startedAt,
  });
  events.started();
  try {
    const { maxRows, maxBytes } = QUERY_DEFAULTS;
    const stream = await store.stream(sql, { maxRows, maxBytes, signal, tags, tenant });
    const rows: Row[] = [];
    for await (const batch of stream) rows.push(...batch);
    const result = { elapsedMs: clock.now() - startedAt, ...stream.end, columns: stream.columns, rows };
    events.finished('answered');
    return withJson({ ...base(), type: 'answered', sql, result, assumptions: [], basedOn: [], sure: false });
  } catch (thrown) {
    const error = await toldOfOther(toAskemaError(thrown), given, tools, signal);
    events.failed(error.toJSON());
    return withJson({ ...base(), ...endedBy(error) });
  }
}

function endedBy(error: AskemaError) {
  const json = error.toJSON();
  if (error.code === 'ABORTED') return { type: 'cancelled', error: json } as const;
  if (isRefusal(error.code)) return { type: 'refused', reason: error.message, error: json } as const;
  return { type: 'failed', error: json } as const;
}

/** A statement is longer than this only by mistake. */
const MAX_STATEMENT_CHARACTERS = 100_000;

/** @throws AskemaError `INPUT_INVALID` for SQL that is empty or far too long. */
export function checkStatement(sql: string): void {
  checkWritten('statement', sql, MAX_STATEMENT_CHARACTERS);
}
