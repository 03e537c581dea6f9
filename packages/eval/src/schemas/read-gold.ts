import type { DataType } from '@askema/core';
import { type ComparedForeignKey, type ComparedSchema, plainName } from './compared-schema.ts';
import type { GoldTable } from './load-schema-dataset.ts';
import { type ParsedTables, parseCreateTables, typesOf } from './parse-create-tables.ts';
import type { SchemaDefect, SchemaDefectKind } from './schema-dataset.ts';

export interface GoldRow {
  readonly id: string;
  readonly line: number;
  readonly answer: Readonly<Record<string, GoldTable>>;
  readonly ddl: string | undefined;
}

type Report = (kind: SchemaDefectKind, table: string | undefined, message: string) => void;

/** The gold schema of a row, with the types of its DDL, and everything that is wrong with it. Nothing is repaired. */
export function readGold({ id, line, answer, ddl }: GoldRow): {
  readonly gold: ComparedSchema;
  readonly defects: readonly SchemaDefect[];
} {
  const defects: SchemaDefect[] = [];
  const report: Report = (kind, table, message) =>
    defects.push({ id, line, kind, ...(table === undefined ? {} : { table }), message });
  const parsed = ddl === undefined ? { tables: [], problems: [] } : parseCreateTables(ddl);
  for (const problem of parsed.problems) report('ddl-unreadable', undefined, problem);
  const tables = Object.entries(answer);
  reportRepeated(
    tables.map(([name]) => name),
    (name) => report('duplicate-table', name, `Two tables are called ${name}.`),
  );
  const keys = new Map(tables.map(([name, table]) => [plainName(name), table]));
  const relations = tables.map(([name, table]) => {
    checkColumns(name, table, report);
    const types = typesFor(name, parsed, ddl !== undefined, report);
    return {
      name,
      attributes: table.Attributes.map((attribute) => ({
        name: attribute,
        type: typeOf(attribute, name, types, report),
      })),
      primaryKey: table['Primary key'],
      foreignKeys: foreignKeysOf(name, table, keys, report),
    };
  });
  return { gold: { relations }, defects };
}

function checkColumns(name: string, table: GoldTable, report: Report): void {
  reportRepeated(table.Attributes, (attribute) =>
    report('duplicate-attribute', name, `${name} lists the attribute ${attribute} twice.`),
  );
  const known = new Set(table.Attributes.map(plainName));
  for (const column of table['Primary key'])
    if (!known.has(plainName(column)))
      report('key-column-missing', name, `The primary key of ${name} names ${column}, which it does not have.`);
}

function reportRepeated(names: readonly string[], found: (name: string) => void): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(plainName(name))) found(name);
    seen.add(plainName(name));
  }
}

/** One foreign key for each column: gold knows no composite ones. */
function foreignKeysOf(
  name: string,
  table: GoldTable,
  tables: ReadonlyMap<string, GoldTable>,
  report: Report,
): ComparedForeignKey[] {
  const own = new Set(table.Attributes.map(plainName));
  return Object.entries(table['Foreign key']).flatMap(([column, targets]) => {
    if (!own.has(plainName(column)))
      report('foreign-key-column-missing', name, `A foreign key of ${name} is ${column}, which it does not have.`);
    const pairs = Object.entries(targets).flatMap(([target, columns]) =>
      (typeof columns === 'string' ? [columns] : columns).map((targetColumn) => ({ target, targetColumn })),
    );
    if (pairs.length > 1) {
      const all = pairs.map(({ target, targetColumn }) => `${target}.${targetColumn}`).join(' and ');
      report('foreign-key-two-targets', name, `${name}.${column} references ${all}.`);
    }
    return pairs.map(({ target, targetColumn }) => {
      checkTarget(`${name}.${column}`, name, { target, targetColumn }, tables.get(plainName(target)), report);
      return { attributes: [column], target, targetAttributes: [targetColumn] };
    });
  });
}

function checkTarget(
  from: string,
  name: string,
  { target, targetColumn }: { readonly target: string; readonly targetColumn: string },
  table: GoldTable | undefined,
  report: Report,
): void {
  const plain = plainName(targetColumn);
  if (table === undefined) {
    report('foreign-key-target-missing', name, `${from} references ${target}, which there is not.`);
  } else if (!table.Attributes.some((attribute) => plainName(attribute) === plain)) {
    report('foreign-key-target-missing', name, `${from} references ${target}.${targetColumn}, which there is not.`);
  } else {
    const key = table['Primary key'];
    if (key.length > 1 && key.some((column) => plainName(column) === plain))
      report(
        'foreign-key-to-part-of-key',
        name,
        `${from} references ${target}.${targetColumn}, a part of the key (${key.join(', ')}).`,
      );
  }
}

function typesFor(
  name: string,
  parsed: ParsedTables,
  hasDdl: boolean,
  report: Report,
): ReadonlyMap<string, DataType | undefined> | undefined {
  const table = parsed.tables.find((each) => plainName(each.name) === plainName(name));
  if (table === undefined && hasDdl) report('ddl-differs', name, `The DDL has no table ${name}.`);
  return table === undefined ? undefined : typesOf(table);
}

function typeOf(
  attribute: string,
  name: string,
  types: ReadonlyMap<string, DataType | undefined> | undefined,
  report: Report,
): DataType | undefined {
  if (types === undefined) return undefined;
  const plain = plainName(attribute);
  const type = types.get(plain);
  if (!types.has(plain)) report('ddl-differs', name, `The DDL of ${name} has no column ${attribute}.`);
  else if (type === undefined) report('type-missing', name, `The DDL gives ${name}.${attribute} no type.`);
  return type;
}
