import {
  type Adapter,
  buildCatalog,
  type Catalog,
  createCallContext,
  type Dialect,
  type GenerateSqlOutput,
  indexSchema,
  logicalType,
  quoteIdentifier,
  quoteString,
  type Row,
  resolveAdapter,
} from '@askema/core';
import { writeDdl } from '@askema/dialects';
import { probeValues } from '@askema/grounding';
import { lexical } from '../lexical.ts';
import { generateTask, type SmallDatabase } from './small-database.ts';

/** Runs one statement on an engine; cells are numbers, texts, booleans or null, dates ISO texts. */
export type RunOnEngine = (sql: string, parameters: readonly string[]) => Promise<readonly Row[]>;

/** The league on a different engine than SQLite, with the solver in front of it. */
export interface EngineLeague {
  readonly catalog: Catalog;
  ask(question: string): Promise<GenerateSqlOutput>;
  /** Rows with numbers as numbers and dates without their time, as SQLite gives them. */
  rows(sql: string): Promise<readonly Row[]>;
}

/** The types of the league's columns: whole numbers and plain days, as it has them in SQLite. */
function plainTypes(dialect: Dialect): Dialect {
  const native = { ...dialect.types.native, NUMERIC: 'INTEGER', DATETIME: 'DATE' };
  return { ...dialect, types: { ...dialect.types, native } };
}

/**
 * Loads the league of SQLite into an engine, in a schema of its own, and reads nothing back: the catalog is written
 * from the SQLite one.
 */
export async function engineLeague(
  league: SmallDatabase,
  engine: Dialect,
  namespace: { readonly database?: string | undefined; readonly schema: string },
  run: RunOnEngine,
): Promise<EngineLeague> {
  const dialect = plainTypes(engine);
  const catalog = catalogFor(league.catalog, dialect, namespace);
  await run(`CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(namespace.schema, dialect)}`, []);
  const ddl = writeDdl(catalog, dialect, { foreignKeys: false });
  for (const statement of ddl.split(';\n')) if (statement.trim() !== '') await run(statement, []);
  for (const { id, name } of catalog.schema.relations) {
    const types = indexSchema(catalog)
      .attributesOf(id)
      .map(({ type }) => type);
    const rows = league.rows(`SELECT * FROM "${name}"`);
    const place = [namespace.database, namespace.schema, name].filter((part) => part !== undefined);
    const target = place.map((part) => quoteIdentifier(part, dialect)).join('.');
    for (const row of rows) {
      const cells = row.map((cell, at) => {
        if (cell === null) return 'NULL';
        if (types[at] === 'BOOL') return cell === 1 ? 'TRUE' : 'FALSE';
        return typeof cell === 'number' ? String(cell) : quoteString(String(cell), dialect);
      });
      await run(`INSERT INTO ${target} VALUES (${cells.join(', ')})`, []);
    }
  }
  const adapter = adapterOn(run, catalog, dialect);
  const solver = lexical();
  return {
    catalog,
    async ask(question) {
      const context = createCallContext();
      const values = await probeValues(adapter, catalog, question, { context });
      const input = { question, catalog, dialect, schemaText: '', values, today: '2024-06-15', allowWrite: false };
      return (await solver.solve(generateTask, input, context)).value;
    },
    rows: async (sql) => (await run(sql, [])).map((row) => row.map(plain)),
  };
}

function catalogFor(
  source: Catalog,
  dialect: Dialect,
  namespace: { readonly database?: string | undefined; readonly schema: string },
): Catalog {
  const index = indexSchema(source);
  const nameOf = (id: string): string => index.attribute(id)?.name ?? '';
  return buildCatalog({
    dialect,
    name: 'league',
    relations: source.schema.relations.map(({ id, name }) => ({
      nameParts: { ...namespace, relation: name },
      kind: 'table',
      rowCount: source.relations[id]?.rowCount,
      attributes: index.attributesOf(id).map((attribute) => {
        const nativeType = dialect.types.native[attribute.type];
        if (logicalType(nativeType, dialect) !== attribute.type)
          throw new Error(`${nativeType} is read as another type.`);
        return { name: attribute.name, nativeType, notNull: index.isNotNull(attribute.id) };
      }),
      primaryKey: index.primaryKey(id)?.attributes.map(nameOf),
      foreignKeys: index.foreignKeysFrom(id).map(({ target, pairs }) => ({
        attributes: pairs.map(({ from }) => nameOf(from)),
        target: { ...namespace, relation: index.relation(target)?.name ?? '' },
        targetAttributes: pairs.map(({ to }) => nameOf(to)),
      })),
    })),
  });
}

function adapterOn(run: RunOnEngine, catalog: Catalog, dialect: Dialect): Adapter {
  return resolveAdapter({
    contract: 1,
    dialect,
    name: 'league',
    access: 'read',
    executor: {
      async *execute(sql, { parameters }) {
        const rows = await run(sql, (parameters ?? []) as readonly string[]);
        const columns = (rows[0] ?? []).map((_, at) => ({ name: `c${at}`, nativeType: '', type: 'TEXT' as const }));
        yield { type: 'columns', columns };
        yield { type: 'rows', rows };
        yield { type: 'end' };
      },
    },
    introspector: { introspect: async () => catalog },
    close: async () => undefined,
  });
}

/** Engines write the same number in several ways: `12`, `12.0000`, `"12"`. */
function plain(cell: Row[number]): Row[number] {
  if (typeof cell === 'boolean') return Number(cell);
  if (typeof cell === 'bigint') return Number(cell);
  const number = typeof cell === 'string' && /^-?\d+(\.\d+)?$/u.test(cell) ? Number(cell) : cell;
  return typeof number === 'number' ? Math.round(number * 1e9) / 1e9 : number;
}
