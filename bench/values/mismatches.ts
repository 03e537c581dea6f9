import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCallContext, resolveAdapter } from '@askema/core';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { buildValueIndex, openValueIndex, type SqliteValueIndex } from '../../packages/value-index/src/index.ts';
import type { Table } from '../harness/bench.ts';
import { pick, seededRandom } from './random.ts';
import { SURFACE_CHANGES } from './surface-changes.ts';

const DATA = join(process.env.ASKEMA_DATA ?? join(import.meta.dirname, '../../../shared/data'), 'text2sql-dev');

interface Question {
  readonly id: string;
  readonly db_id: string;
  readonly mismatch?: { readonly cls: string; readonly stored?: string; readonly surface?: string };
}

interface Count {
  asked: number;
  found: number;
}

/**
 * Looks up what questions say and databases store otherwise: the mismatch questions of text2sql-dev, and `forms`
 * changed forms of the cells of its databases, and as many of Defog's.
 */
export async function measureMismatches(forms: number): Promise<Table> {
  const columns = ['cells of', 'look-up', 'asked', 'found', 'recall@5'];
  if (!existsSync(DATA)) return { columns, rows: [['absent: set ASKEMA_DATA', '', '', '', '']] };
  const folder = mkdtempSync(join(tmpdir(), 'askema-bench-'));
  const rows: (number | string)[][] = [];
  const add = (of: string, kind: string, { asked, found }: Count): void => {
    rows.push([of, kind, asked, found, `${((found / asked) * 100).toFixed(1)} %`]);
  };
  try {
    const [anywhere, inColumn] = await askQuestions(folder);
    add('text2sql-dev', 'as its mismatch questions say it', anywhere);
    add('text2sql-dev', 'the same, in a named column', inColumn);
    for (const [name, directory] of [
      ['text2sql-dev', join(DATA, 'databases')],
      ['Defog', join(DATA, 'defog', 'sqlite')],
    ] as const)
      for (const [kind, count] of await askForms(folder, directory, forms)) add(name, kind, count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { columns, rows };
}

async function askQuestions(folder: string): Promise<readonly [anywhere: Count, inColumn: Count]> {
  const anywhere = { asked: 0, found: 0 };
  const inColumn = { asked: 0, found: 0 };
  const questions = readFileSync(join(DATA, 'questions.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Question);
  for (const id of new Set(questions.filter(({ mismatch }) => mismatch !== undefined).map(({ db_id }) => db_id)))
    await withIndex(folder, join(DATA, 'databases', `${id}.sqlite`), async (index) => {
      for (const { db_id, mismatch } of questions) {
        if (db_id !== id || mismatch?.stored === undefined || mismatch.surface === undefined) continue;
        anywhere.asked += 1;
        inColumn.asked += 1;
        const columns = await columnsOf(index, mismatch.stored);
        if (await finds(index, mismatch.surface, mismatch.stored, columns)) inColumn.found += 1;
        if (await finds(index, mismatch.surface, mismatch.stored)) anywhere.found += 1;
      }
    });
  return [anywhere, inColumn];
}

async function askForms(folder: string, directory: string, forms: number): Promise<ReadonlyMap<string, Count>> {
  const files = readdirSync(directory).filter((file) => file.endsWith('.sqlite'));
  const kinds = Object.keys(SURFACE_CHANGES).filter((kind) => kind !== 'exact');
  const share = Math.ceil(forms / files.length / kinds.length);
  const counts = new Map<string, Count>(kinds.map((kind) => [kind, { asked: 0, found: 0 }]));
  const random = seededRandom(7);
  for (const file of files)
    await withIndex(folder, join(directory, file), async (index, cells) => {
      if (cells.length === 0) return;
      for (const [kind, count] of counts)
        for (let made = 0, tried = 0; made < share && tried < share * 50; tried += 1) {
          const wanted = pick(cells, random);
          const text = SURFACE_CHANGES[kind]?.(wanted, random);
          if (text === undefined || text === wanted) continue;
          made += 1;
          count.asked += 1;
          if (await finds(index, text, wanted)) count.found += 1;
        }
    });
  return counts;
}

async function withIndex(
  folder: string,
  file: string,
  work: (index: SqliteValueIndex, cells: readonly string[]) => Promise<void>,
): Promise<void> {
  const adapter = resolveAdapter(sqlite({ file }));
  try {
    const catalog = await adapter.introspect();
    const path = join(folder, 'one.values');
    const stats = await buildValueIndex({ adapter, catalog, path });
    const failed = stats.attributes.filter(({ state }) => state === 'failed');
    if (failed.length > 0) throw new Error(`${file}: ${failed.length} attributes failed`);
    const index = await openValueIndex(path, { catalog });
    await work(index, await cellsOf(path));
    await index.close();
    rmSync(path);
  } finally {
    await adapter.close();
  }
}

async function cellsOf(path: string): Promise<readonly string[]> {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(path, { readonly: true });
  const cells = database.prepare('SELECT DISTINCT cell FROM value WHERE length(cell) > 3').pluck().all() as string[];
  database.close();
  return cells;
}

async function finds(
  index: SqliteValueIndex,
  text: string,
  wanted: string,
  attributes?: readonly string[],
): Promise<boolean> {
  const context = createCallContext();
  return (await index.find({ text, attributes, limit: 5, context })).some(({ value }) => value === wanted);
}

/** Where a cell is stored: a condition names its column. */
async function columnsOf(index: SqliteValueIndex, cell: string): Promise<readonly string[]> {
  const found = await index.find({ text: cell, limit: 20, context: createCallContext() });
  return found.filter(({ value }) => value === cell).map(({ attribute }) => attribute);
}
