import { plannerOf, runCall } from '@askema/adapter-kit';
import type { Planner, PlanVerdict } from '@askema/core';
import { splitStatements, statementKind } from '@askema/sql';
import { type Database, type Transaction, transactionCall } from './connection/call.ts';
import { engineReads } from './engine-reads.ts';
import { isReadOnlyRefusal } from './errors/statement-failure.ts';
import { prepareStatement } from './executor.ts';

/**
 * Prepares a statement and, where it reads, asks for its plan without running it, in a read-only transaction: its kind,
 * the tables, the rows that the server expects, or its complaint. What this adapter never runs is `invalid`. A write is
 * only prepared.
 */
export function createPlanner(database: Database): Planner {
  return plannerOf((sql, limits) =>
    runCall(database.pool, transactionCall(database, limits), (open) => checkStatement(database, open, sql)),
  );
}

async function checkStatement(database: Database, open: Transaction, sql: string): Promise<PlanVerdict> {
  const { lexer } = database.options.dialect;
  const statement = statementKind(sql, lexer);
  const reads = statement === 'read';
  const prepared = await prepareStatement(database, open, sql, reads ? 'read' : 'write').catch((thrown: unknown) => {
    // The transaction refuses to prepare what changes data: then its kind is all that is known.
    if (reads || !isReadOnlyRefusal(thrown)) throw thrown;
    return undefined;
  });
  // What is shown or described has no plan; nor has a statement without the values of its placeholders.
  const start = splitStatements(sql, lexer)[0]?.start ?? 0;
  const hasPlan = reads && prepared?.placeholders === 0 && !/^[(\s]*(EXPLAIN|SHOW|DESC)/i.test(sql.slice(start));
  if (!hasPlan) return { verdict: 'ok', statement };
  const [[json] = []] = await open.limits.race(open.session.query(`EXPLAIN FORMAT=JSON ${sql}\n`));
  const estimatedRows = rowsOfPlan(String(json));
  // What the server made of the statement is a note of EXPLAIN; FORMAT=JSON has none in MariaDB.
  const { isMariadb } = open.session.server;
  const steps = await open.limits.race(open.session.query(`EXPLAIN ${isMariadb ? 'EXTENDED ' : ''}${sql}\n`));
  const notes = await open.limits.race(open.session.query('SHOW WARNINGS'));
  const rewritten = notes.find(([, code]) => Number(code) === REWRITTEN)?.[2];
  const names = steps.map((step) => step[2]).filter((name) => typeof name === 'string');
  const tables =
    typeof rewritten === 'string' ? engineReads({ sql, rewritten, names }, database.options.dialect) : undefined;
  return {
    verdict: 'ok',
    statement,
    ...(estimatedRows === undefined ? {} : { estimatedRows }),
    ...(tables === undefined ? {} : { reads: tables }),
  };
}

/** `ER_YES`, the note with the rewritten statement. */
const REWRITTEN = 1003;

/**
 * Of `EXPLAIN FORMAT=JSON`: the product of the rows of the tables that are joined. MySQL says it (`rows_produced_per_join`),
 * MariaDB has `rows` and the percentage that is left (`filtered`). Its tables are aliases, and so not told.
 */
function rowsOfPlan(json: string): number | undefined {
  let plan: unknown;
  try {
    plan = JSON.parse(json);
  } catch {
    // MariaDB writes `\\'` into texts of its JSON, which is none then.
    return undefined;
  }
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
