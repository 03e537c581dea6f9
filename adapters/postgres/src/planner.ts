import { plannerOf, runCall } from '@askema/adapter-kit';
import { type Access, type Planner, type PlanVerdict, quoteString } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { nameOfToken, significantTokens, splitStatements, statementKind } from '@askema/sql';
import type { Database } from './connection/database.ts';
import { type Transaction, transactionCall } from './connection/transaction.ts';
import { type PlannedRead, readPlan } from './read-plan.ts';
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
    return runCall(database.pool, call, (open) => checkStatement(open, sql, database.options.access));
  });
}

async function checkStatement(open: Transaction, sql: string, access: Access): Promise<PlanVerdict> {
  const { session, limits } = open;
  const statement = statementKind(sql, postgresDialect.lexer);
  const guard = statement === 'read' || access === 'read' ? open.begun : undefined;
  const refusal = await refusalOf(sql, statement === 'read' ? 'read' : 'write', guard);
  const prepared = await limits.race(session.prepare(sql));
  if (refusal !== undefined) throw refusal;
  if (!isExplainable(sql, statement)) return { verdict: 'ok', statement };
  const named = await limits.race(routinesNamed(session, sql));
  const routines = named.length === 0 ? {} : { routines: named };
  let generic = '';
  if (prepared.parameters > 0) {
    const [[version] = []] = await limits.race(
      session.simple("SELECT pg_catalog.current_setting('server_version_num')"),
    );
    if (Number(version) < GENERIC_PLAN_VERSION) return { verdict: 'ok', statement, ...routines };
    generic = ', GENERIC_PLAN';
  }
  // It was parsed alone before, so it is one statement; a comment at its end must not swallow anything.
  const [[json] = []] = await limits.race(session.ask(`EXPLAIN (FORMAT JSON, VERBOSE${generic}) ${sql}\n`));
  const plan = readPlan(json ?? '');
  const roots = await limits.race(rootsOf(session, plan.reads));
  return {
    verdict: 'ok',
    statement,
    relations: [...new Set(roots.map(({ schema, relation }) => `${schema}.${relation}`))],
    reads: roots.map(({ schema, relation, used: { columns, ...partition } }) => ({
      nameParts: { schema, relation },
      columns,
      ...(partition.schema === schema && partition.relation === relation ? {} : { partition }),
    })),
    ...routines,
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

/** Partitions as the one table that they are parts of; what the server does not have itself is left out. */
async function rootsOf(
  session: Transaction['session'],
  used: readonly PlannedRead[],
): Promise<readonly { readonly schema: string; readonly relation: string; readonly used: PlannedRead }[]> {
  if (used.length === 0) return [];
  const list = JSON.stringify(used.map(({ schema, relation }) => ({ schema, relation }))).replaceAll("'", "''");
  const rows = await session.simple(`
    SELECT used.place, n.nspname, c.relname
    FROM ROWS FROM (json_to_recordset('${list}'::json) AS (schema name, relation name))
      WITH ORDINALITY AS used (schema, relation, place)
    JOIN pg_catalog.pg_namespace AS un ON un.nspname = used.schema
    JOIN pg_catalog.pg_class AS uc ON uc.relnamespace = un.oid AND uc.relname = used.relation
    JOIN pg_catalog.pg_class AS c ON c.oid = coalesce(pg_catalog.pg_partition_root(uc.oid), uc.oid)
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace ORDER BY 2, 3, 1`);
  return rows.flatMap(([place, schema, relation]) => {
    const planned = used[Number(place) - 1];
    return planned === undefined ? [] : [{ schema: schema ?? '', relation: relation ?? '', used: planned }];
  });
}

/** Ids below this one are the engine's own. */
const FIRST_OWN = 16_384;

/**
 * Functions of users, in a language that reads tables, and their aggregates, whose name stands in the text, and those behind operators and
 * casts of users that may be meant there. A plan shows a call of them as one of the engine's, and not what they read.
 */
async function routinesNamed(session: Transaction['session'], sql: string): Promise<readonly string[]> {
  const { lexer } = postgresDialect;
  const tokens = significantTokens(sql, lexer);
  const names = tokens.flatMap((token) => nameOfToken(token, lexer) ?? []);
  const list = quoteString(JSON.stringify(names), postgresDialect);
  const text = quoteString(tokens.map((token) => token.text).join(' '), postgresDialect);
  const rows = await session.simple(`
    SELECT DISTINCT p.oid::pg_catalog.regprocedure::text
    FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    LEFT JOIN pg_catalog.pg_operator AS o ON o.oprcode = p.oid AND o.oid >= ${FIRST_OWN}
    LEFT JOIN pg_catalog.pg_cast AS k ON k.castfunc = p.oid AND k.oid >= ${FIRST_OWN}
    WHERE p.oid >= ${FIRST_OWN} AND (l.lanname NOT IN ('c', 'internal') OR p.prokind = 'a' AND NOT EXISTS (
      SELECT FROM pg_catalog.pg_depend AS d WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e')) AND (
      p.proname IN (SELECT name FROM json_array_elements_text(${list}::json) AS used (name))
      OR k.oid IS NOT NULL OR o.oprname ~ '^(=|<>|<|>|<=|>=|!?~~?\\*?)$' OR pg_catalog.strpos(${text}, o.oprname) > 0)
    ORDER BY 1`);
  return rows.map(([name]) => name ?? '');
}
