import { firstWordOf, plannerOf, runCall } from '@askema/adapter-kit';
import { type Access, isAskemaError, type Planner, type PlanVerdict } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { statementKind } from '@askema/sql';
import type { Database } from './connection/database.ts';
import { type Transaction, transactionCall } from './connection/transaction.ts';
import { readsOfPolicies, routinesMeant } from './meant-by-tables.ts';
import { type PlannedRead, readPlan } from './read-plan.ts';
import { refusalOf } from './refusal.ts';
import { refuseFilteredPlan } from './refuse-filtered-plan.ts';

/** From these versions on statements with parameters can be explained: as they are, and prepared under a name. */
const GENERIC_PLAN_VERSION = 160_000;
const NAMED_PLAN_VERSION = 120_000;
/** Each call ends with DEALLOCATE ALL. */
const NAME = 'askema_planned';

/**
 * Parses a statement and asks for its plan without running it, in a read-only transaction: its kind, the tables that it
 * would touch, what the planner estimates, or PostgreSQL's complaint. What this adapter never runs is `invalid`. Bytes
 * are those of the result, by the planner's widths.
 */
export function createPlanner(database: Database): Planner {
  return plannerOf(async (sql, limits) => {
    const named: { routines?: readonly string[] } = {};
    const call = transactionCall(database, limits);
    try {
      return await runCall(database.pool, call, (open) => checkStatement(open, sql, database.options.access, named));
    } catch (thrown) {
      if (named.routines === undefined || !isAskemaError(thrown) || !/^QUERY_(?!TIMEOUT)/.test(thrown.code))
        throw thrown;
      const { message, details, code } = thrown;
      return { verdict: 'invalid', error: { message, details: { ...details, code } }, ...named };
    }
  });
}

/** `named` gets the functions of users that the text may call. */
async function checkStatement(
  open: Transaction,
  sql: string,
  access: Access,
  named: { routines?: readonly string[] },
): Promise<PlanVerdict> {
  const { session, limits } = open;
  const statement = statementKind(sql, postgresDialect.lexer);
  const guard = statement === 'read' || access === 'read' ? open.begun : undefined;
  const refusal = await refusalOf(sql, statement === 'read' ? 'read' : 'write', guard);
  const routinesOf = async (reads: readonly PlannedRead[]) => {
    const routines = await limits.race(routinesMeant(session, sql, reads));
    return routines.length === 0 ? {} : { routines };
  };
  // To parse and to plan computes constants, by functions of users as well: whether that fails may tell what they read.
  if (isExplainable(sql, statement)) Object.assign(named, await routinesOf([]));
  const prepared = await limits.race(session.prepare(sql));
  if (refusal !== undefined) throw refusal;
  await limits.race(refuseFilteredPlan(session, sql));
  if (!isExplainable(sql, statement)) return { verdict: 'ok', statement };
  // It was parsed alone before, so it is one statement; a comment at its end must not swallow anything.
  let explained = `EXPLAIN (FORMAT JSON, VERBOSE) ${sql}\n`;
  if (prepared.parameters > 0) {
    const [[version] = []] = await limits.race(
      session.simple("SELECT pg_catalog.current_setting('server_version_num')"),
    );
    if (Number(version) < NAMED_PLAN_VERSION)
      return { verdict: 'ok', statement, reads: await limits.race(readsOfPolicies(session, sql, [])), ...named };
    if (Number(version) < GENERIC_PLAN_VERSION) {
      await limits.race(session.ask('SET LOCAL plan_cache_mode = force_generic_plan'));
      await limits.race(session.ask(`PREPARE ${NAME} AS ${sql}\n`));
      const values = Array.from({ length: prepared.parameters }, () => 'NULL');
      explained = `EXPLAIN (FORMAT JSON, VERBOSE) EXECUTE ${NAME} (${values.join()})`;
    } else explained = `EXPLAIN (FORMAT JSON, VERBOSE, GENERIC_PLAN) ${sql}\n`;
  }
  const [[json] = []] = await limits.race(session.ask(explained));
  const plan = readPlan(json ?? '');
  const roots = await limits.race(rootsOf(session, plan.reads));
  const routines = await routinesOf(plan.reads);
  const policies = await limits.race(readsOfPolicies(session, sql, plan.reads));
  return {
    verdict: 'ok',
    statement,
    relations: [...new Set(roots.map(({ schema, relation }) => `${schema}.${relation}`))],
    reads: [
      ...roots.map(({ schema, relation, used: { columns, ...partition } }) => ({
        nameParts: { schema, relation },
        columns,
        ...(partition.schema === schema && partition.relation === relation ? {} : { partition }),
      })),
      ...policies,
    ],
    ...routines,
    ...(roots.some(({ isFiltered }) => isFiltered) ? {} : estimatesOf(plan)),
  };
}

function estimatesOf({
  rows,
  bytes,
}: ReturnType<typeof readPlan>): Pick<PlanVerdict, 'estimatedRows' | 'estimatedBytes'> {
  return {
    ...(rows === undefined ? {} : { estimatedRows: rows }),
    ...(bytes === undefined ? {} : { estimatedBytes: bytes }),
  };
}

/** SHOW, EXPLAIN itself and DDL have no plan. */
function isExplainable(sql: string, statement: string): boolean {
  const hasNone = ['EXPLAIN', 'SHOW', 'TRUNCATE', 'COPY'].includes(firstWordOf(sql, postgresDialect));
  return (statement === 'read' || statement === 'write') && !hasNone;
}

interface PlannedRoot {
  readonly schema: string;
  readonly relation: string;
  readonly used: PlannedRead;
  /** A row-level policy keeps rows from the role: what is estimated of all rows would tell of those, too. */
  readonly isFiltered: boolean;
}

/** Partitions, and what these are partitions of, as the one table that they are parts of; what the server does not have itself is left out. */
async function rootsOf(session: Transaction['session'], used: readonly PlannedRead[]): Promise<readonly PlannedRoot[]> {
  if (used.length === 0) return [];
  const list = JSON.stringify(used.map(({ schema, relation }) => ({ schema, relation }))).replaceAll("'", "''");
  const rows = await session.simple(`
    SELECT used.place, n.nspname, c.relname, pn.nspname, pc.relname,
      (SELECT pg_catalog.json_agg(a.attname) FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = uc.oid AND a.attnum > 0 AND NOT a.attisdropped),
      pg_catalog.row_security_active(pc.oid)
    FROM ROWS FROM (json_to_recordset('${list}'::json) AS (schema name, relation name))
      WITH ORDINALITY AS used (schema, relation, place)
    JOIN pg_catalog.pg_namespace AS un ON un.nspname = used.schema
    JOIN pg_catalog.pg_class AS uc ON uc.relnamespace = un.oid AND uc.relname = used.relation
    JOIN pg_catalog.pg_class AS c ON c.oid = coalesce(pg_catalog.pg_partition_root(uc.oid), uc.oid)
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    CROSS JOIN LATERAL (SELECT uc.oid UNION SELECT * FROM pg_catalog.pg_partition_ancestors(uc.oid)) AS part (oid)
    JOIN pg_catalog.pg_class AS pc ON pc.oid = part.oid
    JOIN pg_catalog.pg_namespace AS pn ON pn.oid = pc.relnamespace ORDER BY 2, 3, 1, 4, 5`);
  return rows.flatMap(([place, schema = '', relation = '', partSchema = '', part = '', names, isActive]) => {
    const planned = used[Number(place) - 1];
    if (planned === undefined) return [];
    // Where a plan has one table, words such as IS and NULL look like columns of it.
    const own = new Set(['*', ...(JSON.parse(names ?? '[]') as readonly string[])]);
    const read = {
      schema: partSchema ?? '',
      relation: part ?? '',
      columns: planned.columns.filter((name) => own.has(name)),
    };
    return [{ schema: schema ?? '', relation: relation ?? '', used: read, isFiltered: isActive === 't' }];
  });
}
