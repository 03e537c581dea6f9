import { planVerdict, runCall } from '@askema/adapter-kit';
import type { Planner, PlanVerdict } from '@askema/core';
import { splitStatements, statementKind } from '@askema/sql';
import { type Database, type Transaction, transactionCall } from './connection/call.ts';
import { prepareStatement } from './executor.ts';

/**
 * Prepares a statement and, where it reads, asks for its plan without running it, in a read-only transaction: its kind,
 * the tables, the rows that the server expects, or its complaint. What this adapter never runs is `invalid`. A write is
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
  // The statement as the server understands it, with the tables behind aliases and views.
  const [[, , understood] = []] = await limits.race(session.query('SHOW WARNINGS'));
  return { verdict: 'ok', statement, ...readPlan(String(json), String(understood ?? '')) };
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

/** What is read off `EXPLAIN FORMAT=JSON`: tables, and the product of the rows of those that are joined. */
function readPlan(json: string, understood: string): Pick<PlanVerdict, 'relations' | 'estimatedRows'> {
  const relations = new Set<string>();
  let rows = 1;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const {
      table_name: alias,
      rows: examined = 1,
      rows_produced_per_join: produced,
      filtered = 100,
    } = node as PlanTable;
    // `<derived2>` is a step of the plan.
    if (typeof alias === 'string' && !alias.startsWith('<')) {
      relations.add(tableOf(alias, understood));
      rows = produced ?? (rows * examined * Number(filtered)) / 100;
    }
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(JSON.parse(json));
  return { relations: [...relations], estimatedRows: Math.ceil(rows) };
}

/** `shop.customer` for an alias: the server writes `shop`.`customer` `c`, or `shop`.`customer`. */
function tableOf(alias: string, understood: string): string {
  const quoted = `\`${alias.replaceAll('`', '``').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\``;
  const name = '`((?:[^`]|``)+)`';
  const [, schema, relation = alias] =
    new RegExp(`${name}\\.${name} ${quoted}`).exec(understood) ??
    new RegExp(`${name}\\.${quoted}(?![.\`])`).exec(understood) ??
    [];
  return schema === undefined ? alias : `${schema}.${relation}`.replaceAll('``', '`');
}

/** Of MySQL (`rows_produced_per_join`) or MariaDB (`rows`, `filtered`). */
interface PlanTable {
  readonly table_name?: unknown;
  readonly rows?: number;
  readonly rows_produced_per_join?: number;
  readonly filtered?: number | string;
}
