import {
  type AdapterSpec,
  AskemaError,
  attributeId,
  type Catalog,
  finishCatalog,
  type ResultColumn,
  type Row,
  relationId,
  resolveAdapter,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import Database from 'better-sqlite3';

/** Relations by name, each with the cells of its attributes. */
export type Cells = Readonly<Record<string, Readonly<Record<string, readonly (string | number | null)[]>>>>;

/** For tests: a catalog of text attributes. */
export function cellCatalog(cells: Cells, change: Partial<Catalog> = {}): Catalog {
  const relations = Object.entries(cells).map(([name, attributes]) => ({ id: relationId([name]), name, attributes }));
  const attributes = relations.flatMap((relation) =>
    Object.keys(relation.attributes).map((name, place) => ({
      id: attributeId(relation.id, name),
      name,
      relation,
      place,
    })),
  );
  return finishCatalog({
    schemaVersion: 1,
    dialect: 'sqlite',
    name: 'cells',
    nameComparison: 'insensitive',
    schema: {
      relations: relations.map(({ id, name }) => ({ id, name })),
      attributes: attributes.map(({ id, name, relation }) => ({ id, name, relation: relation.id, type: 'TEXT' })),
      primaryKeys: [],
      foreignKeys: [],
      domainConstraints: [],
    },
    relations: Object.fromEntries(
      relations.map(({ id, name, attributes: own }) => [
        id,
        {
          nameParts: { relation: name },
          kind: 'table',
          rowCount: Math.max(0, ...Object.values(own).map((c) => c.length)),
        },
      ]),
    ),
    attributes: Object.fromEntries(
      attributes.map(({ id, place }) => [id, { position: place + 1, nativeType: 'TEXT' }]),
    ),
    uniqueKeys: [],
    checks: [],
    families: [],
    keyStanding: {},
    incomplete: [],
    ...change,
  });
}

/** For tests: cells in a database in memory, behind an adapter that streams and notes what it was sent. */
export function cellDatabase(cells: Cells, parts: Partial<AdapterSpec> = {}) {
  const database = new Database(':memory:');
  const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  for (const [relation, attributes] of Object.entries(cells)) {
    const names = Object.keys(attributes);
    database.exec(`CREATE TABLE ${quote(relation)} (${names.map(quote).join(', ')})`);
    const insert = database.prepare(`INSERT INTO ${quote(relation)} VALUES (${names.map(() => '?').join(', ')})`);
    const rows = Math.max(0, ...Object.values(attributes).map((column) => column.length));
    for (let row = 0; row < rows; row += 1) insert.run(names.map((name) => exact(attributes[name]?.[row] ?? null)));
  }
  const sent: string[] = [];
  const adapter = resolveAdapter({
    contract: 1,
    dialect: sqliteDialect,
    name: 'cells',
    access: 'read',
    executor: {
      async *execute(sql, { maxRows }) {
        sent.push(sql);
        const statement = database.prepare(sql).raw();
        const columns: ResultColumn[] = statement.columns().map(({ name }) => ({ name, nativeType: '', type: 'TEXT' }));
        const rows = statement.all() as Row[];
        yield { type: 'columns', columns };
        for (let at = 0; at < Math.min(rows.length, maxRows); at += 500)
          yield { type: 'rows', rows: rows.slice(at, Math.min(at + 500, maxRows)) };
        yield { type: 'end', truncated: rows.length > maxRows ? 'rows' : undefined };
      },
    },
    introspector: {
      introspect: async () => {
        throw new AskemaError('INTERNAL', 'Catalogs of these tests are written by hand.');
      },
    },
    close: async () => {
      database.close();
    },
    ...parts,
  });
  return { adapter, sent };
}

/** The driver stores numbers as floating point unless they are bigint. */
function exact(cell: string | number | null): string | number | bigint | null {
  return typeof cell === 'number' && Number.isInteger(cell) ? BigInt(cell) : cell;
}
