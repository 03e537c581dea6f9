import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { DataType } from '@askema/core';
import * as z from 'zod';
import type { DatasetProblem } from '../datasets/read/dataset.ts';
import { nothingUsable, readDatasetFile, readLine, repeatedId } from '../datasets/read/dataset-lines.ts';
import { fileWithin } from '../files/file-within.ts';
import { sha256 } from '../sha256.ts';
import { type ComparedForeignKey, type ComparedSchema, plainName } from './compared-schema.ts';
import { type ParsedTables, parseCreateTables, typesOf } from './parse-create-tables.ts';

/** What can be wrong with a row of RSchema; the row is used all the same. */
export type SchemaDefectKind =
  | 'key-column-missing'
  | 'duplicate-attribute'
  | 'duplicate-table'
  | 'foreign-key-column-missing'
  | 'foreign-key-two-targets'
  | 'foreign-key-target-missing'
  | 'foreign-key-to-part-of-key'
  | 'type-missing'
  | 'ddl-unreadable'
  | 'ddl-differs';

/**
 * The kinds for which gold breaks its own rules, so that scoring it against itself may stay below 100. The others only
 * cost types.
 */
export const STRUCTURAL_DEFECTS: readonly SchemaDefectKind[] = [
  'key-column-missing',
  'duplicate-attribute',
  'duplicate-table',
  'foreign-key-column-missing',
  'foreign-key-two-targets',
  'foreign-key-target-missing',
  'foreign-key-to-part-of-key',
];

/** Something wrong in the gold schema of a row. */
export interface SchemaDefect {
  readonly id: string;
  /** 1-based line of the file. */
  readonly line: number;
  readonly kind: SchemaDefectKind;
  readonly table?: string | undefined;
  /** What is wrong, with the names. */
  readonly message: string;
}

/** A requirement with the schema that people made of it. */
export interface SchemaItem {
  readonly id: string;
  readonly requirement: string;
  readonly gold: ComparedSchema;
  /** From the general one to the special one. */
  readonly domain: readonly string[];
  readonly defects: readonly SchemaDefect[];
  /** 1-based line of the file. */
  readonly line: number;
}

/** A line that is no item at all. */
export type SchemaRowProblem = DatasetProblem;

/** Requirements with gold schemas, as `loadSchemaDataset` reads them. */
export interface SchemaDataset {
  readonly name: string;
  readonly file: string;
  readonly items: readonly SchemaItem[];
  readonly problems: readonly SchemaRowProblem[];
  /** SHA-256 over the requirements and gold schemas, in hexadecimal. */
  readonly fingerprint: string;
}

const FILE_NAME = 'requirements.jsonl';

const word = z.string().trim().min(1);

const goldTable = z.object({
  Attributes: z.array(z.string()),
  'Primary key': z.array(z.string()).default([]),
  'Foreign key': z.record(z.string(), z.record(z.string(), z.union([z.string(), z.array(z.string())]))).default({}),
});

/** Gold by the names of its tables, as RSchema writes it. */
export const goldAnswer = z.record(z.string(), goldTable);

/** A line of RSchema. `ddl` holds the types of `answer`. */
const row = z.object({
  id: word,
  question: word,
  answer: goldAnswer,
  ddl: z.string().optional(),
  domain: z.union([z.string(), z.array(z.string())]).default([]),
});

/** A table of `answer`, as it stands in the file. */
export type GoldTable = z.infer<typeof goldTable>;

/**
 * Reads requirements with gold schemas as RSchema has them: a JSONL file, or a folder with `requirements.jsonl`. One
 * object a line: `id`, `question`, `answer` ({table: {Attributes, "Primary key", "Foreign key": {column: {table:
 * column}}}}), optional `ddl` (which has the types) and `domain`. Rows with defects are kept and the defects stand in
 * the item; a line that is no such object stands in `problems`.
 *
 * @throws AskemaError `DATASET_INVALID` when there is no such file, or no line of it can be used.
 */
export async function loadSchemaDataset(place: string): Promise<SchemaDataset> {
  const file = await findFile(path.resolve(place));
  const items: SchemaItem[] = [];
  const problems: SchemaRowProblem[] = [];
  const lineOf = new Map<string, number>();
  const missing = `There is no ${file}. Requirements stand in a JSONL file, or in a folder with ${FILE_NAME} (one JSON object a line: id, question, answer, ddl).`;
  const text = await readDatasetFile(file, file, missing);
  for (const [position, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue;
    const line = position + 1;
    const read = readLine(row, content, line, 'requirement with a schema');
    const before = 'row' in read ? lineOf.get(read.row.id) : undefined;
    if ('problem' in read) problems.push(read.problem);
    else if (before !== undefined) problems.push(repeatedId(read.row.id, line, before));
    else {
      const { id, question, answer, ddl, domain } = read.row;
      const { gold, defects } = readGold({ id, line, answer, ddl });
      const domains = typeof domain === 'string' ? [domain] : domain;
      items.push({ id, requirement: question, gold, domain: domains, defects, line });
      lineOf.set(id, line);
    }
  }
  if (items.length === 0) throw nothingUsable(file, problems);
  const content = items.map(({ id, requirement, gold }) => ({ id, requirement, gold }));
  return {
    name: path.basename(path.basename(file) === FILE_NAME ? path.dirname(file) : file),
    file,
    items,
    problems,
    fingerprint: sha256(JSON.stringify(content)),
  };
}

async function findFile(place: string): Promise<string> {
  const found = await stat(place).catch(() => undefined);
  return found?.isDirectory() === true ? fileWithin(place, path.join(place, FILE_NAME)) : place;
}

interface GoldRow {
  readonly id: string;
  readonly line: number;
  readonly answer: Readonly<Record<string, GoldTable>>;
  readonly ddl: string | undefined;
}

type Report = (kind: SchemaDefectKind, table: string | undefined, message: string) => void;

/** The gold schema of a row, with the types of its DDL, and everything that is wrong with it. Nothing is repaired. */
function readGold({ id, line, answer, ddl }: GoldRow): {
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

/** What is wrong in the tables of an answer. */
export function goldDefects(answer: Readonly<Record<string, GoldTable>>): readonly SchemaDefect[] {
  return readGold({ id: '', line: 0, answer, ddl: undefined }).defects;
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
