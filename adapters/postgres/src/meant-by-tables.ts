import { type EngineRead, quoteString } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { nameOfToken, type SqlToken, significantTokens } from '@askema/sql';
import type { Transaction } from './connection/transaction.ts';
import { hasConstantCall } from './functions/constant-call.ts';
import type { PlannedRead } from './read-plan.ts';

// What a statement reads or calls by what tables have, and neither its text nor its plan shows.

const namesIn = (tokens: readonly SqlToken[]): readonly string[] =>
  tokens.flatMap((token) => nameOfToken(token, postgresDialect.lexer) ?? []);

const listed = (names: readonly string[]): string =>
  `(SELECT name FROM json_array_elements_text(${quoteString(JSON.stringify(names), postgresDialect)}::json) AS used (name))`;

/**
 * `touched (oid)`: relations that the statement names or the plan reads, and what these are parts of, what stands behind
 * views, and what policies read.
 */
function touchedBy(sql: string, reads: readonly PlannedRead[]): string {
  const names = [...namesIn(significantTokens(sql, postgresDialect.lexer)), ...reads.map(({ relation }) => relation)];
  const usedBy = (catalog: string, owner: string): string => `
    SELECT y.${owner}, d.refobjid FROM pg_catalog.${catalog} AS y JOIN pg_catalog.pg_depend AS d
      ON d.classid = 'pg_catalog.${catalog}'::pg_catalog.regclass AND d.objid = y.oid
      AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass`;
  return `touched (oid) AS (SELECT c.oid FROM pg_catalog.pg_class AS c WHERE c.relname IN ${listed(names)}
    UNION SELECT r.oid FROM touched AS t JOIN (SELECT i.inhrelid, i.inhparent FROM pg_catalog.pg_inherits AS i
      UNION ALL ${usedBy('pg_policy', 'polrelid')} UNION ALL ${usedBy('pg_rewrite', 'ev_class')}) AS r (by, oid) ON r.by = t.oid)`;
}

/**
 * What row-level policies read, of tables that the statement names or the plan reads, and of what these are parts of
 * or their policies read: a plan leaves out what the predicate of a partial index says already. Of a whole row
 * (`:varattno 0`) `pg_depend` names no column. Policies hold for the user, for the owners of
 * views, and for who filled a materialized view.
 */
export async function readsOfPolicies(
  session: Transaction['session'],
  sql: string,
  reads: readonly PlannedRead[],
): Promise<readonly EngineRead[]> {
  const rows = await session.simple(`
    WITH RECURSIVE ${touchedBy(sql, reads)}
    SELECT n.nspname, c.relname, CASE WHEN y.polqual::text ~ ':varattno 0\\M' THEN '*' ELSE a.attname END
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
      WHERE v.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND v.refobjid = t.oid AND w.relkind IN ('v', 'm') AND w.oid IN (SELECT oid FROM touched)
        AND NOT (o.rolsuper OR o.rolbypassrls OR (o.oid = t.relowner AND NOT t.relforcerowsecurity))))
    ORDER BY 1, 2, 3`);
  return rows.map(([schema, relation, column]) => ({
    nameParts: { schema: schema ?? '', relation: relation ?? '' },
    columns: column ? [column] : [],
    byPolicy: true,
  }));
}

/** Ids below this one are the engine's own. */
const FIRST_OWN = 16_384;

/**
 * Functions of users, in a language that reads tables, and their aggregates, that a statement may call: by their name in the
 * text, by an operator or a cast of users that may be meant there, by the policies of what it reads, by the order of a
 * type or the check of a domain, which no text names, and by what the planner computes of an index, a check, statistics
 * or the key of partitions. A plan shows a call of them as one of the engine's, and not what
 * they read. What an extension brings and a superuser owns computes.
 */
export async function routinesMeant(
  session: Transaction['session'],
  sql: string,
  reads: readonly PlannedRead[],
): Promise<readonly string[]> {
  const tokens = significantTokens(sql, postgresDialect.lexer);
  const names = namesIn(tokens);
  const text = quoteString(tokens.map((token) => token.text).join(' '), postgresDialect);
  const rows = await session.simple(`
    WITH RECURSIVE ${touchedBy(sql, reads)},
    operator AS (SELECT oid, oprcode, oprname FROM pg_catalog.pg_operator WHERE oid >= ${FIRST_OWN}),
    used AS (SELECT d.classid::pg_catalog.regclass::text AS by, d.objid, d.refobjid, coalesce(o.oprcode, d.refobjid) AS function
      FROM pg_catalog.pg_depend AS d LEFT JOIN operator AS o ON d.refclassid = 'pg_catalog.pg_operator'::pg_catalog.regclass AND o.oid = d.refobjid
      WHERE d.refclassid IN ('pg_catalog.pg_proc'::pg_catalog.regclass, 'pg_catalog.pg_operator'::pg_catalog.regclass)),
    planned (relation, by, objid, expression) AS (
      SELECT i.indrelid, 'pg_class', i.indexrelid, coalesce(i.indexprs::text, '') || coalesce(i.indpred::text, '') FROM pg_catalog.pg_index AS i
      UNION ALL SELECT s.stxrelid, 'pg_statistic_ext', s.oid, pg_catalog.to_jsonb(s) ->> 'stxexprs' FROM pg_catalog.pg_statistic_ext AS s
      UNION ALL SELECT k.conrelid, 'pg_constraint', k.oid, k.conbin::text FROM pg_catalog.pg_constraint AS k
      UNION ALL SELECT p.partrelid, 'pg_class', p.partrelid, p.partexprs::text FROM pg_catalog.pg_partitioned_table AS p),
    meant (function, called, expression) AS (
      SELECT oprcode, 0, NULL FROM operator WHERE oprname ~ '^(=|<>|<|>|<=|>=|!?~~?\\*?)$' OR pg_catalog.strpos(${text}, oprname) > 0
      UNION ALL SELECT castfunc, 0, NULL FROM pg_catalog.pg_cast WHERE oid >= ${FIRST_OWN}
      UNION ALL SELECT amproc, 0, NULL FROM pg_catalog.pg_amproc
      UNION ALL SELECT o.oprcode, 0, NULL FROM pg_catalog.pg_amop AS a JOIN operator AS o ON o.oid = a.amopopr
      UNION ALL SELECT rngsubdiff, 0, NULL FROM pg_catalog.pg_range
      UNION ALL SELECT u.function, 0, NULL FROM used AS u JOIN pg_catalog.pg_constraint AS k ON k.oid = u.objid JOIN pg_catalog.pg_type AS t ON t.oid = k.contypid
        WHERE u.by = 'pg_constraint' AND (EXISTS (SELECT FROM pg_catalog.pg_type AS x WHERE x.typbasetype = t.oid)
          OR EXISTS (SELECT FROM pg_catalog.pg_range AS x WHERE x.rngsubtype = t.oid) OR EXISTS (
            SELECT FROM pg_catalog.pg_attribute AS x JOIN pg_catalog.pg_class AS c ON c.oid = x.attrelid
            WHERE x.atttypid IN (t.oid, t.typarray) AND (c.relkind = 'c' OR c.oid IN (SELECT oid FROM touched))))
      UNION ALL SELECT u.function, 0, NULL FROM used AS u JOIN pg_catalog.pg_policy AS y ON y.oid = u.objid
        WHERE u.by = 'pg_policy' AND y.polrelid IN (SELECT oid FROM touched)
      UNION ALL SELECT u.function, u.refobjid, e.expression FROM touched AS t JOIN planned AS e ON e.relation = t.oid
        JOIN used AS u ON u.by = e.by AND u.objid = e.objid WHERE e.expression <> '')
    SELECT DISTINCT p.oid::pg_catalog.regprocedure::text, m.called, CASE WHEN p.proname IN ${listed(names)} THEN NULL ELSE m.expression END
    FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang LEFT JOIN meant AS m ON m.function::oid = p.oid
    WHERE p.oid >= ${FIRST_OWN} AND (l.lanname NOT IN ('c', 'internal') OR p.prokind = 'a')
      AND NOT (EXISTS (SELECT FROM pg_catalog.pg_depend AS d WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e')
        AND coalesce((SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.oid = p.proowner), false))
      AND (p.proname IN ${listed(names)} OR m.function IS NOT NULL)
    ORDER BY 1`);
  // What is called on a column, the planner leaves for the rows.
  const meant = rows.flatMap(([name, called, expression = null]) =>
    expression === null || hasConstantCall(expression, called ?? '') ? [name ?? ''] : [],
  );
  return [...new Set(meant)];
}
