import { type Outcome, type OutcomeBase, toAskemaError } from '@askema/core';
import { askWhichDatabase, databaseOfAnswer, findDatabase } from '@askema/text2sql';
import type { OpenDatabase } from '../../databases/database-pool.ts';
import type { RunMark } from '../../runs/run-record.ts';
import { askableDatabases, titlesOf } from '../askable-databases.ts';
import { usableDatabases } from '../choose-database.ts';
import type { AskingCall } from '../route.ts';

type Placed = Extract<RunMark, { readonly type: 'placed' }>;

export interface QuestionToPlace {
  readonly run: string;
  readonly question: string;
  /** What was answered when the question was asked back. */
  readonly answer?: string | undefined;
  readonly signal: AbortSignal;
}

/** Where a question is asked, or what it comes to where nobody can tell. */
export type PlacedQuestion =
  | { readonly database: OpenDatabase; readonly placed: Placed }
  | { readonly outcome: Outcome };

/**
 * Finds the database of a question that names none among those that the caller may ask; where nobody can tell, the
 * outcome asks back. Rejects with `INPUT_INVALID` for an answer that names none.
 */
export async function placeQuestion(call: AskingCall, question: QuestionToPlace): Promise<PlacedQuestion> {
  const { run, signal, answer } = question;
  if (answer !== undefined) {
    const names = usableDatabases(call, 'ask');
    const database = databaseOfAnswer(answer, names, titlesOf(call, names));
    return { database: await call.database(database, 'ask'), placed: { type: 'placed', run, database } };
  }
  const begun = performance.now();
  const ended = (cost: Pick<OutcomeBase, 'usage' | 'calls'>): OutcomeBase => ({
    ...{ question: question.question, runId: run, candidates: [], executions: 0, warnings: [], ...cost },
    elapsedMs: Math.round(performance.now() - begun),
  });
  try {
    const { databases, titles, reader } = await askableDatabases(call);
    const { runtime } = call.parts;
    const options = { databases, titles, model: reader, tenant: call.caller.tenant, signal, runtime };
    const { database: name, usage, calls } = await findDatabase(question.question, options);
    if (name === undefined)
      return {
        outcome: { ...ended({ usage, calls }), ...askWhichDatabase(Object.keys(databases), titles) },
      };
    const database = await call.database(name, 'ask');
    return { database, placed: { type: 'placed', run, database: name, usage: { ...usage }, calls } };
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    return { outcome: { ...ended({ usage: {}, calls: 0 }), type: 'cancelled', error: toAskemaError(thrown).toJSON() } };
  }
}
