import {
  type Adapter,
  attributeId,
  type Catalog,
  createCallContext,
  type DataType,
  finishCatalog,
  foreignKeyId,
  GENERATE_SQL_TASK_ID,
  type GenerateSqlInput,
  type GenerateSqlOutput,
  generateSqlOutput,
  relationId,
  resolveAdapter,
  type Task,
} from '@askema/core';
import { sqliteDialect, writeDdl } from '@askema/dialects';
import { searchValues } from '@askema/grounding';
import Database from 'better-sqlite3';
import { type LexicalOptions, lexical } from '../lexical.ts';

/**
 * Columns in order, each "name type", with `key` for the primary key, `required` for NOT NULL, and `> table` for a
 * foreign key to the key of another table: `"team_id number > teams"`. Types: number, text, date, bool.
 */
export type TableNotation = Readonly<Record<string, readonly string[]>>;

const TYPES: Readonly<Record<string, DataType>> = { number: 'NUMERIC', text: 'TEXT', date: 'DATETIME', bool: 'BOOL' };
const NATIVE: Readonly<Record<string, string>> = { number: 'INTEGER', text: 'TEXT', date: 'DATE', bool: 'BOOLEAN' };

interface Column {
  readonly name: string;
  readonly type: string;
  readonly key: boolean;
  readonly required: boolean;
  readonly target: string | undefined;
}

function readColumn(notation: string): Column {
  const match = /^(?:"([^"]+)"|(\S+))\s+(\w+)((?:\s+(?:key|required))*)(?:\s+>\s+(.+))?$/u.exec(notation);
  if (match === null) throw new Error(`No column notation: ${notation}`);
  const flags = match[4] ?? '';
  return {
    name: match[1] ?? match[2] ?? '',
    type: match[3] ?? '',
    key: flags.includes('key'),
    required: flags.includes('required'),
    target: match[5],
  };
}

/** For tests: a catalog from a short notation. */
export function smallCatalog(tables: TableNotation, rowCounts: Readonly<Record<string, number>> = {}): Catalog {
  const columns = Object.entries(tables).map(([table, notations]) => ({ table, columns: notations.map(readColumn) }));
  const idOf = (table: string, column: string): string => attributeId(relationId([table]), column);
  const keyOf = (table: string): string =>
    idOf(table, columns.find((other) => other.table === table)?.columns.find(({ key }) => key)?.name ?? '');
  const all = columns.flatMap(({ table, columns: own }) => own.map((column) => ({ table, ...column })));
  return finishCatalog({
    schemaVersion: 1,
    dialect: 'sqlite',
    name: 'small',
    nameComparison: 'insensitive',
    schema: {
      relations: columns.map(({ table }) => ({ id: relationId([table]), name: table })),
      attributes: all.map(({ table, name, type }) => ({
        id: idOf(table, name),
        relation: relationId([table]),
        name,
        type: TYPES[type] ?? 'TEXT',
      })),
      primaryKeys: columns
        .map(({ table, columns: own }) => ({
          relation: relationId([table]),
          attributes: own.filter(({ key }) => key).map(({ name }) => idOf(table, name)),
        }))
        .filter(({ attributes }) => attributes.length > 0),
      foreignKeys: all.flatMap(({ table, name, target }) => {
        if (target === undefined) return [];
        const pairs = [{ from: idOf(table, name), to: keyOf(target) }];
        return [
          {
            id: foreignKeyId(relationId([table]), relationId([target]), pairs),
            relation: relationId([table]),
            target: relationId([target]),
            pairs,
          },
        ];
      }),
      domainConstraints: all
        .filter(({ required }) => required)
        .map(({ table, name }) => ({ attribute: idOf(table, name), constraint: 'not null' as const })),
    },
    relations: Object.fromEntries(
      columns.map(({ table }) => [
        relationId([table]),
        { nameParts: { relation: table }, kind: 'table' as const, rowCount: rowCounts[table] ?? 0 },
      ]),
    ),
    attributes: Object.fromEntries(
      columns.flatMap(({ table, columns: own }) =>
        own.map(({ name, type }, place) => [
          idOf(table, name),
          { position: place + 1, nativeType: NATIVE[type] ?? 'TEXT' },
        ]),
      ),
    ),
    uniqueKeys: [],
    checks: [],
    families: [],
    keyStanding: {},
    incomplete: [],
  });
}

/** The generate task as pipelines have it, without a prompt. */
export const generateTask: Task<GenerateSqlInput, GenerateSqlOutput> = {
  id: GENERATE_SQL_TASK_ID,
  version: 1,
  render: () => [],
  output: generateSqlOutput,
};

export interface AskOptions {
  readonly evidence?: string | undefined;
  readonly today?: string | undefined;
  readonly lexical?: LexicalOptions | undefined;
}

export interface SmallDatabase {
  readonly catalog: Catalog;
  readonly adapter: Adapter;
  /** Looks the words up and solves, as a pipeline does. */
  ask(question: string, options?: AskOptions): Promise<GenerateSqlOutput>;
  /** Rows of a statement. */
  rows(sql: string): readonly unknown[][];
}

/**
 * For tests: a SQLite database in memory with rows, and the solver in front of it. `rowCounts` is what the catalog
 * says of tables that are meant to be bigger than they are.
 */
export function smallDatabase(
  tables: TableNotation,
  content: Readonly<Record<string, readonly (readonly unknown[])[]>> = {},
  rowCounts: Readonly<Record<string, number>> = {},
): SmallDatabase {
  const inserted = Object.fromEntries(Object.entries(content).map(([table, rows]) => [table, rows.length]));
  const catalog = smallCatalog(tables, { ...inserted, ...rowCounts });
  const database = new Database(':memory:');
  // Rows may come in any order of tables.
  database.pragma('foreign_keys = OFF');
  database.exec(writeDdl(catalog, sqliteDialect));
  for (const [table, rows] of Object.entries(content)) {
    const insert = database.prepare(
      `INSERT INTO "${table}" VALUES (${(tables[table] ?? []).map(() => '?').join(', ')})`,
    );
    for (const row of rows) insert.run(...row.map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell)));
  }
  return { catalog, ...solverOn(database, catalog) };
}

/** The solver in front of an open database. */
export function solverOn(database: Database.Database, catalog: Catalog): Omit<SmallDatabase, 'catalog'> {
  const rows = (sql: string): unknown[][] => database.prepare(sql).raw(true).all() as unknown[][];
  // Probes differ in their parameters only: to prepare each again would take half of the time.
  const prepared = new Map<string, Database.Statement>();
  const adapter = resolveAdapter({
    contract: 1,
    dialect: sqliteDialect,
    name: 'memory',
    access: 'read',
    executor: {
      async *execute(sql, options) {
        const statement = prepared.get(sql) ?? database.prepare(sql).raw(true);
        prepared.set(sql, statement);
        const columns = statement.columns().map(({ name }) => ({ name, nativeType: '', type: 'TEXT' as const }));
        yield { type: 'columns', columns };
        yield { type: 'rows', rows: statement.all(...((options.parameters ?? []) as string[])) as string[][] };
        yield { type: 'end' };
      },
    },
    introspector: { introspect: async () => catalog },
    close: async () => undefined,
  });
  // As in an application, one solver answers many questions: it links the catalog once.
  const usual = lexical();
  return {
    adapter,
    rows,
    async ask(question, options = {}) {
      const context = createCallContext();
      const { matches, unsearched } = await searchValues(adapter, catalog, question, { context });
      const input: GenerateSqlInput = {
        question,
        catalog,
        dialect: sqliteDialect,
        schemaText: '',
        evidence: options.evidence,
        values: matches,
        unsearched,
        today: options.today ?? '2024-06-15',
        allowWrite: false,
      };
      return (
        await (options.lexical === undefined ? usual : lexical(options.lexical)).solve(generateTask, input, context)
      ).value;
    },
  };
}
