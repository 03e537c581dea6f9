import { plannerOf, runCall } from '@askema/adapter-kit';
import { type Access, type EngineRead, isAskemaError, type Planner, type PlanVerdict, quoteString } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { nameOfToken, type SqlToken, significantTokens, splitStatements, statementKind } from '@askema/sql';
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
  if (!isExplainable(sql, statement)) return { verdict: 'ok', statement };
  let generic = '';
  if (prepared.parameters > 0) {
    const [[version] = []] = await limits.race(
      session.simple("SELECT pg_catalog.current_setting('server_version_num')"),
    );
    if (Number(version) < GENERIC_PLAN_VERSION)
      return { verdict: 'ok', statement, reads: await limits.race(readsOfPolicies(session, sql, [])), ...named };
    generic = ', GENERIC_PLAN';
  }
  // It was parsed alone before, so it is one statement; a comment at its end must not swallow anything.
  const [[json] = []] = await limits.race(session.ask(`EXPLAIN (FORMAT JSON, VERBOSE${generic}) ${sql}\n`));
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

/** Partitions, and what these are partitions of, as the one table that they are parts of; what the server does not have itself is left out. */
async function rootsOf(
  session: Transaction['session'],
  used: readonly PlannedRead[],
): Promise<readonly { readonly schema: string; readonly relation: string; readonly used: PlannedRead }[]> {
  if (used.length === 0) return [];
  const list = JSON.stringify(used.map(({ schema, relation }) => ({ schema, relation }))).replaceAll("'", "''");
  const rows = await session.simple(`
    SELECT used.place, n.nspname, c.relname, pn.nspname, pc.relname
    FROM ROWS FROM (json_to_recordset('${list}'::json) AS (schema name, relation name))
      WITH ORDINALITY AS used (schema, relation, place)
    JOIN pg_catalog.pg_namespace AS un ON un.nspname = used.schema
    JOIN pg_catalog.pg_class AS uc ON uc.relnamespace = un.oid AND uc.relname = used.relation
    JOIN pg_catalog.pg_class AS c ON c.oid = coalesce(pg_catalog.pg_partition_root(uc.oid), uc.oid)
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    CROSS JOIN LATERAL (SELECT uc.oid UNION SELECT * FROM pg_catalog.pg_partition_ancestors(uc.oid)) AS part (oid)
    JOIN pg_catalog.pg_class AS pc ON pc.oid = part.oid
    JOIN pg_catalog.pg_namespace AS pn ON pn.oid = pc.relnamespace ORDER BY 2, 3, 1, 4, 5`);
  return rows.flatMap(([place, schema = '', relation = '', partSchema = '', part = '']) => {
    const planned = used[Number(place) - 1];
    if (planned === undefined) return [];
    const names = { schema: partSchema ?? '', relation: part ?? '' };
    return [{ schema: schema ?? '', relation: relation ?? '', used: { ...planned, ...names } }];
  });
}

/**
 * What row-level policies read, of tables that the statement names or the plan reads, and of what these are parts of
 * or their policies read: a plan leaves out what the predicate of a partial index says already. Policies hold for the
 * user, and for the owners of views.
 */
async function readsOfPolicies(
  session: Transaction['session'],
  sql: string,
  reads: readonly PlannedRead[],
): Promise<readonly EngineRead[]> {
  const names = [...namesIn(significantTokens(sql, postgresDialect.lexer)), ...reads.map(({ relation }) => relation)];
  const rows = await session.simple(`
    WITH RECURSIVE touched (oid) AS (SELECT c.oid FROM pg_catalog.pg_class AS c WHERE c.relname IN ${listed(names)}
      UNION SELECT r.oid FROM touched AS t JOIN (SELECT i.inhrelid, i.inhparent FROM pg_catalog.pg_inherits AS i
        UNION ALL SELECT y.polrelid, d.refobjid FROM pg_catalog.pg_policy AS y
        JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND d.objid = y.oid
          AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass) AS r (by, oid) ON r.by = t.oid)
    SELECT n.nspname, c.relname, a.attname
    FROM touched JOIN pg_catalog.pg_class AS t USING (oid)
    JOIN pg_catalog.pg_policy AS y ON y.polrelid = t.oid AND y.polcmd IN ('r', '*')
    JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND d.objid = y.oid
      AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
    JOIN pg_catalog.pg_class AS c ON c.oid = d.refobjid
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid AND d.refobjsubid > 0
    WHERE t.relrowsecurity AND (pg_catalog.row_security_active(t.oid) OR EXISTS (
      SELECT FROM pg_catalog.pg_depend AS v JOIN pg_catalog.pg_rewrite AS r ON r.oid = v.objid
      JOIN pg_catalog.pg_class AS w ON w.oid = r.ev_class JOIN pg_catalog.pg_roles AS o ON o.oid = w.relowner
      WHERE v.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND v.refobjid = t.oid AND w.relkind = 'v'
        AND NOT (o.rolsuper OR o.rolbypassrls OR (o.oid = t.relowner AND NOT t.relforcerowsecurity))))
    ORDER BY 1, 2, 3`);
  return rows.map(([schema, relation, column]) => ({
    nameParts: { schema: schema ?? '', relation: relation ?? '' },
    columns: column ? [column] : [],
    byPolicy: true,
  }));
}

const namesIn = (tokens: readonly SqlToken[]): readonly string[] =>
  tokens.flatMap((token) => nameOfToken(token, postgresDialect.lexer) ?? []);

const listed = (names: readonly string[]): string =>
  `(SELECT name FROM json_array_elements_text(${quoteString(JSON.stringify(names), postgresDialect)}::json) AS used (name))`;

/** Ids below this one are the engine's own. */
const FIRST_OWN = 16_384;

/**
 * Functions of users, in a language that reads tables, and their aggregates, that a statement may call: by their name in the
 * text, by an operator or a cast of users that may be meant there, by the policies of what it reads, and by the order of a
 * type or the check of a domain, which no text names. A plan shows a call of them as one of the engine's, and not what
 * they read. What an extension brings and a superuser owns computes.
 */
async function routinesMeant(
  session: Transaction['session'],
  sql: string,
  reads: readonly PlannedRead[],
): Promise<readonly string[]> {
  const tokens = significantTokens(sql, postgresDialect.lexer);
  const names = namesIn(tokens);
  const text = quoteString(tokens.map((token) => token.text).join(' '), postgresDialect);
  const rows = await session.simple(`
    WITH touched AS ${listed([...names, ...reads.map(({ relation }) => relation)])}, operator AS (SELECT oid, oprcode, oprname FROM pg_catalog.pg_operator WHERE oid >= ${FIRST_OWN}),
    used AS (SELECT d.classid::pg_catalog.regclass::text AS by, d.objid, coalesce(o.oprcode, d.refobjid) AS function
      FROM pg_catalog.pg_depend AS d LEFT JOIN operator AS o ON d.refclassid = 'pg_catalog.pg_operator'::pg_catalog.regclass AND o.oid = d.refobjid
      WHERE d.classid IN ('pg_catalog.pg_policy'::pg_catalog.regclass, 'pg_catalog.pg_constraint'::pg_catalog.regclass)
        AND d.refclassid IN ('pg_catalog.pg_proc'::pg_catalog.regclass, 'pg_catalog.pg_operator'::pg_catalog.regclass)),
    meant AS (
      SELECT oprcode FROM operator WHERE oprname ~ '^(=|<>|<|>|<=|>=|!?~~?\\*?)$' OR pg_catalog.strpos(${text}, oprname) > 0
      UNION ALL SELECT castfunc FROM pg_catalog.pg_cast WHERE oid >= ${FIRST_OWN}
      UNION ALL SELECT amproc FROM pg_catalog.pg_amproc
      UNION ALL SELECT o.oprcode FROM pg_catalog.pg_amop AS a JOIN operator AS o ON o.oid = a.amopopr
      UNION ALL SELECT rngsubdiff FROM pg_catalog.pg_range
      UNION ALL SELECT u.function FROM used AS u JOIN pg_catalog.pg_constraint AS k ON k.oid = u.objid JOIN pg_catalog.pg_type AS t ON t.oid = k.contypid
        WHERE u.by = 'pg_constraint' AND (EXISTS (SELECT FROM pg_catalog.pg_type AS x WHERE x.typbasetype = t.oid)
          OR EXISTS (SELECT FROM pg_catalog.pg_range AS x WHERE x.rngsubtype = t.oid) OR EXISTS (
            SELECT FROM pg_catalog.pg_attribute AS x JOIN pg_catalog.pg_class AS c ON c.oid = x.attrelid
            WHERE x.atttypid IN (t.oid, t.typarray) AND (c.relkind = 'c' OR c.relname IN (SELECT name FROM touched))))
      UNION ALL SELECT u.function FROM used AS u JOIN pg_catalog.pg_policy AS y ON y.oid = u.objid JOIN pg_catalog.pg_class AS c ON c.oid = y.polrelid
        WHERE u.by = 'pg_policy' AND c.relname IN (SELECT name FROM touched))
    SELECT DISTINCT p.oid::pg_catalog.regprocedure::text
    FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    WHERE p.oid >= ${FIRST_OWN} AND (l.lanname NOT IN ('c', 'internal') OR p.prokind = 'a')
      AND NOT (EXISTS (SELECT FROM pg_catalog.pg_depend AS d WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e')
        AND coalesce((SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.oid = p.proowner), false))
      AND (p.proname IN ${listed(names)} OR p.oid IN (SELECT m.oprcode::oid FROM meant AS m))
    ORDER BY 1`);
  return rows.map(([name]) => name ?? '');
}
