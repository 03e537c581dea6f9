import type { RawPlan } from '../protocol.ts';
import { statementKind } from '../sql/statement-rule.ts';
import type { Database } from './driver.ts';
import { engineReads, type Instruction, openedPages } from './engine-reads.ts';
import { prepareOne } from './prepare.ts';

/**
 * What a statement would do, from preparing it alone. The base tables are those whose pages its program opens: views
 * are expanded, and a table that is read through one of its indexes only is there as well. Virtual tables are not seen.
 */
export function checkStatement(database: Database, sql: string): RawPlan {
  const statement = prepareOne(database, sql, 'write');
  const kind = statementKind(sql);
  const reads = statement.readonly && statement.reader;
  const program = reads || kind !== 'other' ? programOf(database, sql) : [];
  return {
    statement: reads ? 'read' : kind === 'read' ? 'write' : kind,
    relations: openedTables(database, program),
    ...(reads ? { reads: engineReads(database, program, planOf(database, sql)) } : {}),
  };
}

function programOf(database: Database, sql: string): readonly Instruction[] {
  return explain<Instruction>(database, withoutExplain(sql));
}

/** Its steps in words. */
function planOf(database: Database, sql: string): readonly string[] {
  return explain<{ readonly detail: string }>(database, `QUERY PLAN ${withoutExplain(sql)}`).map(
    ({ detail }) => detail,
  );
}

/** The driver's own EXPLAIN needs no values for parameters, which `prepare` would ask for. */
function explain<Row>(database: Database, sql: string): readonly Row[] {
  return (database as Database & { explain(sql: string): readonly Row[] }).explain(sql);
}

function openedTables(database: Database, program: readonly Instruction[]): string[] {
  return database
    .prepare(
      'SELECT DISTINCT tbl_name FROM sqlite_schema WHERE rootpage IN (SELECT value FROM temp.json_each(?)) ORDER BY tbl_name',
    )
    .pluck()
    .all(JSON.stringify(openedPages(program))) as string[];
}

function withoutExplain(sql: string): string {
  return sql.replace(/^\s*EXPLAIN(\s+QUERY\s+PLAN)?\b/i, '');
}
