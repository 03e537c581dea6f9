import {
  AskemaError,
  createCallContext,
  fromModel,
  isLanguageModel,
  type LanguageModel,
  type Outcome,
  type Runtime,
  type Solver,
  systemRuntime,
} from '@askema/core';
import { checkModel } from '../check-options.ts';
import { type CallCost, NO_COST } from '../question/call-cost.ts';
import type { OpenText2Sql } from '../text2sql-options.ts';
import { type DatabaseTitles, namedDatabase } from './named-database.ts';
import { WHICH } from './read-rewrite.ts';
import { checkMessage, understandMessage } from './understand-message.ts';

export interface FindDatabaseOptions {
  /** What can be asked about, by name. */
  readonly databases: Readonly<Record<string, Pick<OpenText2Sql, 'catalog'>>>;
  readonly titles?: DatabaseTitles | undefined;
  /** Reads a question that names no database. Default: nobody does. */
  readonly model?: LanguageModel | Solver | undefined;
  readonly tenant?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly runtime?: Partial<Runtime> | undefined;
}

/** Which database a question is about; undefined where nobody can tell, or it needs several at once. */
export interface FoundDatabase extends CallCost {
  readonly database: string | undefined;
}

/** Names that a message lists. */
const MAX_LISTED = 20;

/**
 * Finds the database that a question by itself is about: the only one, the one that it names, or the one that the model
 * says, which reads it as the first message of a conversation about all of them. Rejects as `Solver.solve`.
 *
 * @throws AskemaError `INPUT_INVALID` for an empty or a far too long question.
 */
export async function findDatabase(question: string, options: FindDatabaseOptions): Promise<FoundDatabase> {
  const { databases, titles, model, tenant, signal, runtime } = options;
  checkMessage(question);
  const names = Object.keys(databases);
  const named = names.length === 1 ? names[0] : namedDatabase(question, names, titles);
  if (named !== undefined || model === undefined) return { database: named, ...NO_COST };
  checkModel(model);
  const solver = isLanguageModel(model) ? fromModel(model, { runtime: systemRuntime(runtime) }) : model;
  const context = createCallContext({ path: 'find-database', tenant, signal });
  const message = { message: question, path: [], database: undefined, isAnswer: false, standsAlone: false };
  const { understood, usage, calls } = await understandMessage({ ...message, databases, titles, solver }, context);
  return { database: understood.database, usage, calls };
}

/** What an outcome asks back where nobody can tell: each database is a choice, by its name. */
export function askWhichDatabase(
  databases: readonly string[],
  titles: DatabaseTitles = {},
): Pick<Extract<Outcome, { readonly type: 'needsClarification' }>, 'type' | 'ask' | 'choices'> {
  const choices = databases.map((name) => ({
    id: name,
    meaning: titles[name] === undefined ? name : `${name}: ${titles[name]}`,
    resolution: { kind: 'evidence', text: name } as const,
  }));
  return { type: 'needsClarification', ask: WHICH, choices };
}

/** The database that the answer to {@link askWhichDatabase} names. @throws AskemaError `INPUT_INVALID` for none, and for several. */
export function databaseOfAnswer(answer: string, databases: readonly string[], titles: DatabaseTitles = {}): string {
  const named = namedDatabase(answer, databases, titles);
  if (named !== undefined) return named;
  const listed = databases.slice(0, MAX_LISTED);
  throw new AskemaError(
    'INPUT_INVALID',
    `${JSON.stringify(answer.slice(0, 100))} names none of the databases, or several. There are: ${listed.join(', ')}.`,
    { details: { nearestNames: listed } },
  );
}
