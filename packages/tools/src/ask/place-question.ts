import type { LanguageModel, Outcome, Solver } from '@askema/core';
import { askWhichDatabase, databaseOfAnswer, findDatabase, namedDatabase } from '@askema/text2sql';
import type { ToolContext, WaitingQuestion, WaitingQuestions } from '../contract.ts';
import type { Databases, FoundDatabase } from '../databases/find-database.ts';
import { answerOf } from './answer-of.ts';

export interface Placing {
  readonly databases: Databases;
  /** Reads questions that name no database. */
  readonly model: LanguageModel | Solver | undefined;
  readonly waiting: WaitingQuestions;
}

/** Where a question is asked, or the outcome that asks which database is meant. */
export type PlacedQuestion = { readonly found: FoundDatabase } | { readonly asked: Outcome };

/** Finds the database of a question that names none; the person behind the agent may say it. */
export async function placeQuestion(
  waiting: WaitingQuestion,
  placing: Placing,
  context: ToolContext,
): Promise<PlacedQuestion> {
  const { databases, model } = placing;
  const { names, titles, all } = databases;
  const { signal, tenant } = context;
  const stores = Object.fromEntries(Object.entries(all).map(([name, { text2sql }]) => [name, text2sql]));
  const options = { databases: stores, titles, model, tenant, signal };
  const started = performance.now();
  const { database, usage, calls } = await findDatabase(waiting.question, options);
  if (database !== undefined) return { found: databases.find(database) };
  const which = askWhichDatabase(names, titles);
  const said = await answerOf(which, context);
  const named = said === undefined ? undefined : namedDatabase(said, names, titles);
  if (named !== undefined) return { found: databases.find(named) };
  const elapsedMs = Math.round(performance.now() - started);
  const base = { candidates: [], executions: 0, warnings: [], usage, calls, elapsedMs };
  const asked: Outcome = { ...base, ...which, question: waiting.question, runId: '' };
  return { asked: { ...asked, runId: await placing.waiting.keep(waiting, asked) } };
}

/** The question of a run that asked which database is meant, and the one that the answer names. */
export async function placedByAnswer(
  runId: string,
  answer: string,
  { databases, waiting }: Placing,
): Promise<{ readonly found: FoundDatabase; readonly question: WaitingQuestion } | undefined> {
  const question = await waiting.find(runId);
  if (question === undefined) return undefined;
  return { found: databases.find(databaseOfAnswer(answer, databases.names, databases.titles)), question };
}
