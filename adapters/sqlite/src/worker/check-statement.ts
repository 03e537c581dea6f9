import type { RawPlan } from '../protocol.ts';
import { statementKind } from '../sql/statement-rule.ts';
import type { Database } from './driver.ts';
import { prepareOne } from './prepare.ts';

/** One instruction of the program that EXPLAIN shows (https://sqlite.org/opcode.html). */
interface Instruction {
  readonly opcode: string;
  readonly p2: number;
  readonly p3: number;
}

/**
 * What a statement would do, from preparing it alone. The base tables are those whose pages its program opens: views
 * are expanded, and a table that is read through one of its indexes only is there as well. Virtual tables are not seen.
 */
export function checkStatement(database: Database, sql: string): RawPlan {
  const statement = prepareOne(database, sql, 'write');
  const kind = statementKind(sql);
  const reads = statement.readonly && statement.reader;
  return {
    statement: reads ? 'read' : kind === 'read' ? 'write' : kind,
    relations: reads || kind !== 'other' ? openedTables(database, sql) : [],
  };
}

function openedTables(database: Database, sql: string): string[] {
  // The driver's own EXPLAIN needs no values for parameters, which `prepare` would ask for.
  const program = (database as Database & { explain(sql: string): readonly Instruction[] }).explain(
    withoutExplain(sql),
  );
  const pages = program
    .filter(({ opcode, p3 }) => (opcode === 'OpenRead' || opcode === 'OpenWrite') && p3 === 0)
    .map(({ p2 }) => p2);
  return database
    .prepare(
      'SELECT DISTINCT tbl_name FROM sqlite_schema WHERE rootpage IN (SELECT value FROM json_each(?)) ORDER BY tbl_name',
    )
    .pluck()
    .all(JSON.stringify(pages)) as string[];
}

function withoutExplain(sql: string): string {
  return sql.replace(/^\s*EXPLAIN(\s+QUERY\s+PLAN)?\b/i, '');
}
