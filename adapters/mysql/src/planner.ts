import { planVerdict, runCall } from '@askema/adapter-kit';
import type { Planner, PlanVerdict } from '@askema/core';
import { splitStatements, statementKind } from '@askema/sql';
import { type Database, type Transaction, transactionCall } from './connection/call.ts';
import { prepareStatement } from './executor.ts';

/**
 * Prepares a statement and, where it reads, asks for its plan without running it, in a read-only transaction: its kind,
 * the rows that the server expects, or its complaint. What this adapter never runs is `invalid`. A write is
 * only prepared.
 */
export function createPlanner(database: Database): Planner {
  return {
    check(sql, { timeoutMs, context }) {
      const call = transactionCall(database, {
        what: 'Checking the statement',
        sql,
        timeoutMs,
        signal: context.signal,
      });
      return planVerdict(() => runCall(database.pool, call, (open) => checkStatement(database, open, sql)));
    },
  };
}

async function checkStatement(database: Database, open: Transaction, sql: string): Promise<PlanVerdict> {
  const { lexer } = database.options.dialect;
  const statement = statementKind(sql, lexer);
  if (statement !== 'read') return checkChange(database, open, sql, statement);
  const { placeholders } = await prepareStatement(database, open, sql, 'read');
  const start = splitStatements(sql, lexer)[0]?.start ?? 0;
  // What is shown or described has no plan; nor has a statement without the values of its placeholders.
  if (placeholders > 0 || /^[(\s]*(EXPLAIN|SHOW|DESC|DESCRIBE)\b/i.test(sql.slice(start)))
    return { verdict: 'ok', statement };
  const { session, limits } = open;
  const [[json] = []] = await limits.race(session.query(`EXPLAIN FORMAT=JSON ${sql}\n`));
  return { verdict: 'ok', statement, estimatedRows: rowsOfPlan(JSON.parse(String(json))) };
}

/** The read-only transaction refuses to prepare what changes data; then its kind is all that is known. */
async function checkChange(
  database: Database,
  open: Transaction,
  sql: string,
  statement: PlanVerdict['statement'],
): Promise<PlanVerdict> {
  try {
    await prepareStatement(database, open, sql, 'write');
  } catch (thrown) {
    if ((thrown as { readonly errno?: unknown }).errno !== 1792) throw thrown;
  }
  return { verdict: 'ok', statement };
}

/**
 * Of `EXPLAIN FORMAT=JSON`: the product of the rows of the tables that are joined. MySQL says it (`rows_produced_per_join`),
 * MariaDB has `rows` and the percentage that is left (`filtered`). Its tables are aliases, and so not told.
 */
function rowsOfPlan(plan: unknown): number {
  let product = 1;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { table_name: alias, rows = 1, rows_produced_per_join: produced, filtered = 100 } = node as PlanTable;
    if (alias !== undefined) product = produced ?? (product * rows * Number(filtered)) / 100;
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(plan);
  return Math.ceil(product);
}

interface PlanTable {
  readonly table_name?: string;
  readonly rows?: number;
  readonly rows_produced_per_join?: number;
  readonly filtered?: number | string;
}
