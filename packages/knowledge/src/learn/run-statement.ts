import type { Ran, StatementRunner } from '../check/check-host.ts';
import { shownCell } from '../check/shown-cell.ts';

/** Rows that are compared. */
const MAX_ROWS = 10_000;

/** What is run, or why it cannot be. */
export type Statement = { readonly sql: string } | { readonly reason: string };

export type Answered = Exclude<Ran, { kind: 'skipped' }>;

/** Undefined where a cap left it out: `skipped` of the runner has why. */
export async function runStatement(
  statement: Statement,
  what: string,
  runner: StatementRunner,
): Promise<Answered | undefined> {
  if ('reason' in statement) return { kind: 'failed', reason: statement.reason };
  const ran = await runner.run(what, statement.sql, MAX_ROWS);
  return ran.kind === 'skipped' ? undefined : ran;
}

/** The value of a result of one cell, else how many rows there are; undefined where it did not run. */
export function shownResult(ran: Answered): string | undefined {
  if (ran.kind === 'failed') return undefined;
  const { columns, rows, truncated } = ran.result;
  if (columns.length === 1 && rows.length === 1) {
    const cell = rows[0]?.[0] ?? null;
    return typeof cell === 'number' || typeof cell === 'bigint' ? String(cell) : shownCell(cell);
  }
  return `${rows.length}${truncated === undefined ? '' : '+'} ${rows.length === 1 ? 'row' : 'rows'}`;
}
