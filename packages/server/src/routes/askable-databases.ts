import { AskemaError, type Solver } from '@askema/core';
import type { OpenText2Sql } from '@askema/text2sql';
import { usableDatabases } from './choose-database.ts';
import type { AskingCall } from './route.ts';

/** What a caller may ask, open for as long as the response lasts. */
export interface AskableDatabases {
  /** One that cannot be opened now is there as well: whoever asks it is told why. */
  readonly databases: Readonly<Record<string, OpenText2Sql>>;
  readonly titles: Readonly<Record<string, string | undefined>>;
  /** Reads what is said about all of them: the model of the first. */
  readonly reader: Solver;
}

/**
 * All databases that the caller may ask and that answer questions. Rejects where none can be opened, and with
 * `TASK_UNSUPPORTED` where all take SQL only.
 */
export async function askableDatabases(call: AskingCall): Promise<AskableDatabases> {
  const names = usableDatabases(call, 'ask');
  const opened = await Promise.allSettled(names.map((name) => call.database(name, 'ask')));
  const databases: Record<string, OpenText2Sql> = {};
  const readers: Solver[] = [];
  for (const [at, name] of names.entries()) {
    const one = opened[at];
    if (one?.status === 'rejected') databases[name] = unavailable(one.reason);
    if (one?.status !== 'fulfilled' || !one.value.answersQuestions) continue;
    databases[name] = one.value.text2sql;
    readers.push(one.value.reader);
  }
  const [reader] = readers;
  const failed = opened.find((one) => one.status === 'rejected');
  if (reader === undefined && failed !== undefined) throw failed.reason;
  if (reader === undefined)
    throw new AskemaError('TASK_UNSUPPORTED', 'No database of this caller answers questions, only SQL.');
  return { databases, titles: titlesOf(call, names), reader };
}

/** Titles of databases, by their names. */
export function titlesOf({ parts }: AskingCall, names: readonly string[]): AskableDatabases['titles'] {
  return Object.fromEntries(names.map((name) => [name, parts.databases.get(name)?.title]));
}

function unavailable(reason: unknown): OpenText2Sql {
  const refuse = () => Promise.reject(reason);
  const close = async () => undefined;
  return { ask: refuse, resume: refuse, stream: refuse, catalog: refuse, close, [Symbol.asyncDispose]: close };
}
