import type { RawPlan } from '../protocol.ts';
import { statementKind } from '../sql/statement-rule.ts';
import type { Database } from './driver.ts';
import { engineReads, type Instruction, openedPages } from './engine-reads.ts';
import { prepareOne } from './prepare.ts';
import { withoutStatistics } from './without-statistics.ts';

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
    ...(reads ? { reads: readsOf(database, sql, program) } : {}),
  };
}

function programOf(database: Database, sql: string): readonly Instruction[] {
  // The driver's own EXPLAIN needs no values for parameters, which `prepare` would ask for.
  return (database as Database & { explain(sql: string): readonly Instruction[] }).explain(withoutExplain(sql));
}

/** By a plan that does not depend on what the columns hold; where there is none, everything of the tables. */
function readsOf(database: Database, sql: string, program: readonly Instruction[]): RawPlan['reads'] {
  const reads = engineReads(database, program);
  if (reads === undefined) return undefined;
  try {
    const planned = withoutStatistics(database);
    return planned === database ? reads : engineReads(planned, programOf(planned, sql));
  } catch {
    return reads.map(({ nameParts }) => ({ nameParts, columns: ['*'] }));
  }
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
