import type { Access } from '@askema/core';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { CheckRequest, RawPlan } from '../protocol.ts';
import { namedRelations } from './named-relations.ts';
import { prepareStatement } from './statement-guard.ts';

/** Prepares a statement without running it: its kind, its relations, and for a query how many rows DuckDB expects. */
export async function checkStatement(
  connection: DuckDBConnection,
  { sql, textRefusal }: CheckRequest,
  _access: Access,
): Promise<RawPlan> {
  // Everything that could be granted is let through here, so that its kind can be told; nothing runs.
  const { statement, kind } = await prepareStatement(connection, sql, { access: 'write' });
  const { parameterCount } = statement;
  statement.destroySync();
  const relations = await namedRelations(connection, sql);
  const plan = { statement: kind, relations };
  if (kind !== 'read' || parameterCount > 0 || textRefusal !== undefined || /^\s*EXPLAIN\b/i.test(sql)) return plan;
  return { ...plan, estimatedRows: await estimateRows(connection, sql) };
}

/** The plan is made, and not run; the operator on top says how many rows it expects. */
async function estimateRows(connection: DuckDBConnection, sql: string): Promise<number | undefined> {
  try {
    await connection.run('BEGIN TRANSACTION READ ONLY');
    const reader = await connection.runAndReadAll(`EXPLAIN (FORMAT json) ${sql}`);
    const text = reader.getRows()[0]?.[1];
    return typeof text === 'string' ? estimateIn(JSON.parse(text) as PlanNode[]) : undefined;
  } catch {
    return undefined;
  } finally {
    await connection.run('ROLLBACK').catch(() => undefined);
  }
}

interface PlanNode {
  readonly children?: readonly PlanNode[];
  readonly extra_info?: Readonly<Record<string, unknown>>;
}

/** Operators on top that say nothing have the estimate of what stands below. */
function estimateIn(nodes: readonly PlanNode[]): number | undefined {
  let node = nodes[0];
  for (let depth = 0; node !== undefined && depth < 50; depth += 1) {
    const text = node.extra_info?.['Estimated Cardinality'];
    const rows = typeof text === 'string' ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(rows)) return rows;
    node = node.children?.length === 1 ? node.children[0] : undefined;
  }
  return undefined;
}
