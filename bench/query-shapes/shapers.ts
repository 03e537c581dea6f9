import { type BackEndName, createSqlParser } from '@askema/sql-parser';
import { parserDialect } from '../cte-splitting/parser-dialects.ts';
import type { Statement } from '../cte-splitting/statements.ts';

/** What a statement refers to. */
export interface Referred {
  /** Last parts of the names of tables that are no CTE, as written but without quotes. */
  readonly tables: readonly string[];
  /**
   * References of columns that were found; undefined where the library tells only different names of columns, or none.
   */
  readonly columns: number | undefined;
}

export interface Shaper {
  /** Rejects where there is no answer. */
  readonly shape: (statement: Statement) => Promise<Referred>;
  readonly close: () => Promise<void>;
}

export interface ShaperKind {
  readonly name: string;
  readonly own: boolean;
  readonly gives: string;
  readonly load: () => Promise<Shaper>;
}

export const SHAPERS: readonly ShaperKind[] = [
  {
    name: 'askema',
    own: true,
    gives: 'relations, joins, columns, filters, groupings, calls of each block, each with its span',
    load: () => askema('sqlparser-ts'),
  },
  {
    name: 'askema over node-sql-parser',
    own: true,
    gives: 'the same',
    load: () => askema('node-sql-parser'),
  },
  { name: 'node-sql-parser', own: false, gives: 'a tree, lists of tables and columns; no places', load: nodeSqlParser },
  {
    name: '@polyglot-sql/sdk',
    own: false,
    gives: 'relations, uses of columns, projections; no places',
    load: polyglot,
  },
];

async function askema(backEnd: BackEndName): Promise<Shaper> {
  const parser = createSqlParser({ backEnd, timeoutMs: 20_000 });
  await parser.parse('SELECT 1', parserDialect('sqlite'));
  return {
    async shape({ sql, dialect }) {
      const result = await parser.parse(sql, parserDialect(dialect));
      if (!result.ok) throw new Error(result.reason);
      const tables: string[] = [];
      let columns = 0;
      for (const block of result.shape.blocks) {
        columns += block.columns.length;
        for (const { kind, name } of block.relations) if (kind === 'table') tables.push(name.at(-1)?.text ?? '');
      }
      return { tables, columns };
    },
    close: () => parser.close(),
  };
}

async function nodeSqlParser(): Promise<Shaper> {
  const { default: library } = await import('node-sql-parser');
  const parser = new library.Parser();
  const databases: Readonly<Record<string, string>> = { postgres: 'postgresql', duckdb: 'postgresql' };
  return {
    async shape({ sql, dialect }) {
      const { tableList, ast } = parser.parse(sql, { database: databases[dialect] ?? dialect });
      const ctes = new Set<string>();
      addCtes(ast, ctes);
      const names = tableList.map((entry) => entry.split('::').at(-1) ?? '');
      return { tables: names.filter((name) => !ctes.has(name.toLowerCase())), columns: undefined };
    },
    close: async () => undefined,
  };
}

/** Its list of tables has the CTEs as well; their names stand in the tree. */
function addCtes(node: unknown, names: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  const { with: clause } = node as { readonly with?: unknown };
  if (Array.isArray(clause))
    for (const { name } of clause as readonly { readonly name?: { readonly value?: string } }[])
      if (name?.value !== undefined) names.add(name.value.toLowerCase());
  for (const child of Object.values(node)) addCtes(child, names);
}

async function polyglot(): Promise<Shaper> {
  const { analyzeQuery } = await import('@polyglot-sql/sdk');
  return {
    async shape({ sql, dialect }) {
      const { success, error, analysis } = analyzeQuery(sql, dialect === 'postgres' ? 'postgresql' : dialect);
      if (!success || analysis === undefined) throw new Error(error);
      const tables = analysis.baseTables.map(({ table, name }) => table ?? name);
      return { tables, columns: analysis.columnUses?.length };
    },
    close: async () => undefined,
  };
}
