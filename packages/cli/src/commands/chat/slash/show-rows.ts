import { type Catalog, QUERY_DEFAULTS } from '@askema/core';
import { checkChartFlag, printChart } from '../../ask/print-chart.ts';
import { printResult } from '../../ask/print-outcome.ts';
import { type ChatSession, lastStatements, resultOf } from '../session/chat-session.ts';
import { CUT_NOTE } from '../session/print-turn.ts';

/** `/rows`: as many as an answer may have. */
export async function showRows(_: string, chat: ChatSession, signal: AbortSignal): Promise<void> {
  const { err } = chat.context;
  for (const statement of await lastStatements(chat)) {
    const result = await resultOf(statement, QUERY_DEFAULTS.maxRows, signal);
    await printResult(result, 'table', chat.context);
    if (result.truncated !== undefined) await err.write(`${err.dim(CUT_NOTE)}\n`);
  }
}

/** `/chart [FILE.svg]`. */
export async function drawChart(file: string, chat: ChatSession, signal: AbortSignal): Promise<void> {
  const flag = file === '' ? true : file;
  checkChartFlag(flag, '/chart');
  const statements = await lastStatements(chat);
  // Parts of an explanation: one would stand over the other.
  const into = (at: number): string | true =>
    flag === true || statements.length === 1 ? flag : flag.replace(/\.svg$/, `-${at + 1}.svg`);
  for (const [at, statement] of statements.entries()) {
    const { sql, question, database } = statement;
    const result = await resultOf(statement, QUERY_DEFAULTS.maxRows, signal);
    const catalog = (): Promise<Catalog> => database.store.catalog({ signal });
    await printChart({ sql, result, question, dialect: database.dialect, catalog }, into(at), chat.context);
  }
}
