import { plannerOf, runCall } from '@askema/adapter-kit';
import type { Planner, PlanVerdict } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { splitStatements, statementKind } from '@askema/sql';
import type { Database } from './connection/database.ts';
import { type Transaction, transactionCall } from './connection/transaction.ts';
import { refusalOf } from './refusal.ts';

/** From this version on statements with parameters can be explained. */
const GENERIC_PLAN_VERSION = 160_000;

/**
 * Parses a statement and asks for its plan without running it, in a read-only transaction: its kind, the tables that it
 * would touch, what the planner estimates, or PostgreSQL's complaint. What this adapter never runs is `invalid`. Bytes
 * are those of the result, by the planner's widths.
 */
export function createPlanner(database: Database): Planner {
  return plannerOf((sql, limits) => {
    const call = transactionCall(database, limits);
    return runCall(database.pool, call, (open) => checkStatement(open, sql));
  });
}

async function checkStatement(open: Transaction, sql: string): Promise<PlanVerdict> {
  const { session, limits } = open;
  const prepared = await limits.race(session.prepare(sql));
  const statement = statementKind(sql, postgresDialect.lexer);
  const refusal = await refusalOf(sql, statement === 'read' ? 'read' : 'write', open.begun);
  if (refusal !== undefined) throw refusal;
  if (!isExplainable(sql, statement)) return { verdict: 'ok', statement };
  let generic = '';
  if (prepared.parameters > 0) {
    const [[version] = []] = await limits.race(session.simple("SELECT current_setting('server_version_num')"));
    if (Number(version) < GENERIC_PLAN_VERSION) return { verdict: 'ok', statement };
    generic = ', GENERIC_PLAN';
  }
  // It was parsed alone before, so it is one statement; a comment at its end must not swallow anything.
  const [[json] = []] = await limits.race(session.simple(`EXPLAIN (FORMAT JSON, VERBOSE${generic}) ${sql}\n`));
  const plan = readPlan(json ?? '');
  const relations = await limits.race(rootsOf(session, plan.relations));
  return {
    verdict: 'ok',
    statement,
    relations,
    ...(plan.rows === undefined ? {} : { estimatedRows: plan.rows }),
    ...(plan.bytes === undefined ? {} : { estimatedBytes: plan.bytes }),
  };
}

/** SHOW, EXPLAIN itself and DDL have no plan. */
function isExplainable(sql: string, statement: string): boolean {
  const start = splitStatements(sql, postgresDialect.lexer)[0]?.start ?? 0;
  const hasNone = /^[(\s]*(?:EXPLAIN|SHOW|TRUNCATE|COPY)\b/i.test(sql.slice(start));
  return (statement === 'read' || statement === 'write') && !hasNone;
}

/** Partitions as the one table that they are parts of. */
async function rootsOf(
  session: Transaction['session'],
  relations: readonly { readonly schema: string; readonly relation: string }[],
): Promise<readonly string[]> {
  if (relations.length === 0) return [];
  const list = JSON.stringify(relations).replaceAll("'", "''");
  const rows = await session.simple(`
    SELECT DISTINCT n.nspname || '.' || c.relname
    FROM json_to_recordset('${list}'::json) AS used (schema name, relation name)
    JOIN pg_catalog.pg_namespace AS un ON un.nspname = used.schema
    JOIN pg_catalog.pg_class AS uc ON uc.relnamespace = un.oid AND uc.relname = used.relation
    JOIN pg_catalog.pg_class AS c ON c.oid = coalesce(pg_catalog.pg_partition_root(uc.oid), uc.oid)
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace ORDER BY 1`);
  return rows.map(([name]) => name ?? '');
}

/** What is read off `EXPLAIN (FORMAT JSON, VERBOSE)` (https://www.postgresql.org/docs/current/sql-explain.html). */
interface ReadPlan {
  readonly relations: readonly { readonly schema: string; readonly relation: string }[];
  readonly rows: number | undefined;
  /** Rows times their width. */
  readonly bytes: number | undefined;
}

interface PlanNode {
  readonly 'Plan Rows'?: number;
  readonly 'Plan Width'?: number;
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly Plans?: readonly PlanNode[];
}

function readPlan(json: string): ReadPlan {
  const [{ Plan: top } = {}] = JSON.parse(json) as readonly { readonly Plan?: PlanNode }[];
  const relations = new Map<string, { schema: string; relation: string }>();
  const open = top === undefined ? [] : [top];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { Schema: schema, 'Relation Name': relation, Plans = [] } = node;
    if (schema !== undefined && relation !== undefined)
      relations.set(JSON.stringify([schema, relation]), { schema, relation });
    open.push(...Plans);
  }
  const rows = top?.['Plan Rows'];
  const width = top?.['Plan Width'];
  return {
    relations: [...relations.values()],
    rows,
    bytes: rows === undefined || width === undefined ? undefined : rows * width,
  };
}
