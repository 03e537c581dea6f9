/** Conditions whose value their column does not hold, for `bars:align`. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import {
  type Adapter,
  type AttributeId,
  type Catalog,
  createCallContext,
  indexSchema,
  qualifiedName,
  quoteIdentifier,
  quoteString,
  resolveAdapter,
  type ValueIndex,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { scanCells } from '@askema/grounding';
import { lexSql, type SqlParser } from '@askema/sql';
import { sqlparserTs } from '@askema/sql-parser';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { generateSurfaceForms, isWritable } from './generate-surface-forms.ts';
import { mismatchQuestions } from './mismatch-cases.ts';
import { seededRandom } from './seeded-random.ts';

const FORMS_OF_EACH = 250;
const ABSENT = 250;
const DATA = path.join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'text2sql-dev',
);

/** The file of the questions. */
export const QUESTIONS = path.join(DATA, 'questions.jsonl');

/** A text that a column is compared with. */
export interface AlignCase {
  readonly group?: string | undefined;
  readonly file: string;
  readonly surface: string;
  /** The cell that is meant; undefined where none is. */
  readonly stored: string | undefined;
  readonly attribute: AttributeId;
  /** Where cells are looked up; what was read before does not count where the database was changed. */
  readonly look?: { readonly valueIndex: ValueIndex } | undefined;
}

interface Opened {
  readonly adapter: Adapter;
  readonly catalog: Catalog;
  readonly index: ValueIndex;
}

/** Each database is opened once. */
export interface Databases {
  readonly parser: SqlParser;
  open(file: string): Promise<Opened>;
  /** The nearest cell of the column, however far it is. */
  nearest(one: AlignCase): Promise<string | undefined>;
  /** The rows that have the text. */
  statementOf(one: AlignCase): Promise<string>;
  close(): Promise<void>;
}

/** All that are asked for. */
export function openDatabases(): Databases {
  const parser = sqlparserTs();
  const opened = new Map<string, Promise<Opened>>();
  const make = async (file: string): Promise<Opened> => {
    const adapter = resolveAdapter(sqlite({ file }));
    const catalog = await adapter.introspect();
    return { adapter, catalog, index: scanCells({ adapter, catalog }) };
  };
  const open = (file: string): Promise<Opened> => {
    const known = opened.get(file) ?? make(file);
    opened.set(file, known);
    return known;
  };
  return {
    parser,
    open,
    async nearest({ file, surface, attribute, look }) {
      const valueIndex = look?.valueIndex ?? (await open(file)).index;
      const query = { text: surface, attributes: [attribute], limit: 1, context: createCallContext() };
      return (await valueIndex.find(query))[0]?.value;
    },
    async statementOf({ file, surface, attribute }) {
      const { relation, column } = await placeOf(await open(file), attribute);
      return `SELECT 1 FROM ${relation} WHERE ${column} = ${quoteString(surface, sqliteDialect)} LIMIT 1`;
    },
    async close() {
      await parser.close();
      for (const { adapter, index } of await Promise.all(opened.values())) {
        await index.close();
        await adapter.close();
      }
    },
  };
}

function placeOf({ catalog }: Opened, id: AttributeId): { readonly relation: string; readonly column: string } {
  const attribute = indexSchema(catalog).attribute(id);
  const info = catalog.relations[attribute?.relation ?? ''];
  if (attribute === undefined || info === undefined) throw new Error(`There is no attribute ${id}.`);
  return {
    relation: qualifiedName(info.nameParts, sqliteDialect, 'always'),
    column: quoteIdentifier(attribute.name, sqliteDialect),
  };
}

/** What a model would write that knows no cells, and what is right. */
interface MismatchStatement {
  readonly file: string;
  readonly sql: string;
  readonly gold: string;
  readonly cases: readonly AlignCase[];
}

export async function* mismatchStatements({ open, parser }: Databases): AsyncIterable<MismatchStatement> {
  const catalogOf = async (file: string) => (await open(file)).catalog;
  for await (const { question, file, before, cases: all } of mismatchQuestions(DATA, parser, catalogOf)) {
    const cases = all.filter(({ surface, stored }) => surface !== stored).map((one) => ({ ...one, file }));
    yield { file, sql: before ?? withWords(question.gold_sql, cases), gold: question.gold_sql, cases };
  }
}

/** The statement with the words of the question for the stored values. */
function withWords(sql: string, cases: readonly AlignCase[]): string {
  const written = (text: string): string => quoteString(text, sqliteDialect);
  return lexSql(sql, sqliteDialect.lexer)
    .map(({ text }) => {
      const meant = cases.find(({ stored }) => stored !== undefined && written(stored) === text);
      return meant === undefined ? text : written(meant.surface);
    })
    .join('');
}

interface Cell {
  readonly file: string;
  readonly attribute: AttributeId;
  readonly value: string;
}

/** Cells that people write in their own way, of databases on which nothing was tuned. */
async function writableCells({ open }: Databases): Promise<readonly Cell[]> {
  const folder = path.join(DATA, 'defog/sqlite');
  const cells: Cell[] = [];
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.sqlite')) continue;
    const file = path.join(folder, name);
    const { adapter, catalog } = await open(file);
    const texts = catalog.schema.attributes.filter(({ type }) => type === 'TEXT').map(({ id }) => id);
    const limits = { catalog, limit: 500, timeoutMs: 60_000, context: createCallContext() };
    const sampled = await adapter.sampleValues(texts, limits);
    for (const attribute of texts)
      for (const value of sampled[attribute] ?? [])
        if (typeof value === 'string' && isWritable(value)) cells.push({ file, attribute, value });
  }
  return cells;
}

/** Another case, a typo, an abbreviation, another order of words. */
export async function* changedForms(databases: Databases, seed: number): AsyncIterable<AlignCase> {
  const forms = generateSurfaceForms(await writableCells(databases), FORMS_OF_EACH, seed);
  for (const { kind, surface, stored, cell } of forms) yield { ...cell, group: kind, surface, stored };
}

/** A text that stands in another column of the database. */
export async function* otherCells(databases: Databases, seed: number): AsyncIterable<AlignCase> {
  const random = seededRandom(seed);
  const cells = await writableCells(databases);
  for (let made = 0; made < ABSENT; ) {
    const [cell, place] = [random(), random()].map((number) => cells[Math.floor(number * cells.length)]);
    if (cell === undefined || place?.file !== cell.file || place.attribute === cell.attribute) continue;
    made += 1;
    yield { file: cell.file, attribute: place.attribute, surface: cell.value, stored: undefined };
  }
}

/** A cell that its column holds no more, among all those that are like it: in a copy of the database. */
export async function* takenAway(databases: Databases, seed: number): AsyncIterable<AlignCase> {
  const random = seededRandom(seed);
  const cells = await writableCells(databases);
  const folder = mkdtempSync(path.join(tmpdir(), 'askema-align-'));
  const copies = new Map<string, string>();
  try {
    for (let made = 0; made < ABSENT; made += 1) {
      const cell = cells[Math.floor(random() * cells.length)] as Cell;
      const file = copies.get(cell.file) ?? path.join(folder, path.basename(cell.file));
      if (!copies.has(cell.file)) copyFileSync(cell.file, file);
      copies.set(cell.file, file);
      const opened = await databases.open(file);
      const { relation, column } = placeOf(opened, cell.attribute);
      const writing = new DatabaseSync(file, { enableForeignKeyConstraints: false });
      const rows = writing.prepare(`SELECT rowid AS id FROM ${relation} WHERE ${column} = ?`).all(cell.value);
      const write = writing.prepare(`UPDATE ${relation} SET ${column} = ? WHERE rowid = ?`);
      for (const { id } of rows) write.run('', id as number);
      const valueIndex = scanCells(opened);
      yield { file, attribute: cell.attribute, surface: cell.value, stored: undefined, look: { valueIndex } };
      await valueIndex.close();
      for (const { id } of rows) write.run(cell.value, id as number);
      writing.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
