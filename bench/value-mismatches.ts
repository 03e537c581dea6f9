/**
 * Looks up what questions say and databases store otherwise: the mismatch questions of text2sql-dev, and changed forms of the cells of its
 * databases and of Defog's. Usage: ASKEMA_DATA=… npm run mismatches --prefix bench [-- --forms 1000]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCallContext, resolveAdapter } from '@askema/core';
import { sqlite } from '../adapters/sqlite/src/index.ts';
import { buildValueIndex, openValueIndex, type SqliteValueIndex } from '../packages/value-index/src/index.ts';
import { pick, seededRandom } from './values/random.ts';
import { SURFACE_CHANGES } from './values/surface-changes.ts';

const { values: options } = parseArgs({ options: { forms: { type: 'string', default: '1000' } } });
const data = join(process.env.ASKEMA_DATA ?? '../../shared/data', 'text2sql-dev');
const folder = mkdtempSync(join(tmpdir(), 'askema-bench-'));
const context = createCallContext();

interface Question {
  readonly id: string;
  readonly db_id: string;
  readonly mismatch?: { readonly cls: string; readonly stored?: string; readonly surface?: string };
}

async function withIndex(file: string, work: (index: SqliteValueIndex, cells: readonly string[]) => Promise<void>) {
  const adapter = resolveAdapter(sqlite({ file }));
  try {
    const catalog = await adapter.introspect();
    const path = join(folder, 'one.values');
    const stats = await buildValueIndex({ adapter, catalog, path });
    const failed = stats.attributes.filter(({ state }) => state === 'failed');
    if (failed.length > 0) console.log(`${file}: ${failed.length} attributes failed`);
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
  return (await index.find({ text, attributes, limit: 5, context })).some(({ value }) => value === wanted);
}

/** Where a cell is stored: a condition names its column. */
async function columnsOf(index: SqliteValueIndex, cell: string): Promise<readonly string[]> {
  const found = await index.find({ text: cell, limit: 20, context });
  return found.filter(({ value }) => value === cell).map(({ attribute }) => attribute);
}

const questions = readFileSync(join(data, 'questions.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Question);
let asked = 0;
let found = 0;
let foundInColumn = 0;
for (const id of new Set(questions.filter(({ mismatch }) => mismatch !== undefined).map(({ db_id }) => db_id)))
  await withIndex(join(data, 'databases', `${id}.sqlite`), async (index) => {
    for (const { id: question, db_id, mismatch } of questions) {
      if (db_id !== id || mismatch?.stored === undefined || mismatch.surface === undefined) continue;
      asked += 1;
      const columns = await columnsOf(index, mismatch.stored);
      if (await finds(index, mismatch.surface, mismatch.stored, columns)) foundInColumn += 1;
      if (await finds(index, mismatch.surface, mismatch.stored)) found += 1;
      else console.log(`miss: ${question} ${JSON.stringify(mismatch.surface)} for ${JSON.stringify(mismatch.stored)}`);
    }
  });
console.log(`mismatch questions: of ${asked}, ${found} anywhere, ${foundInColumn} in their column`);

for (const [name, directory] of [
  ['text2sql-dev', join(data, 'databases')],
  ['defog', join(data, 'defog', 'sqlite')],
] as const) {
  const files = readdirSync(directory).filter((file) => file.endsWith('.sqlite'));
  const kinds = Object.keys(SURFACE_CHANGES).filter((kind) => kind !== 'exact');
  const share = Math.ceil(Number(options.forms) / files.length / kinds.length);
  const counts = new Map(kinds.map((kind) => [kind, { asked: 0, found: 0 }]));
  const random = seededRandom(7);
  for (const file of files)
    await withIndex(join(directory, file), async (index, cells) => {
      if (cells.length === 0) return;
      for (const kind of kinds) {
        const count = counts.get(kind);
        if (count === undefined) continue;
        for (let made = 0, tried = 0; made < share && tried < share * 50; tried += 1) {
          const wanted = pick(cells, random);
          const text = SURFACE_CHANGES[kind]?.(wanted, random);
          if (text === undefined || text === wanted) continue;
          made += 1;
          count.asked += 1;
          if (await finds(index, text, wanted)) count.found += 1;
        }
      }
    });
  for (const [kind, count] of counts)
    console.log(
      `${name}, ${kind}: ${count.found} of ${count.asked} (${((count.found / count.asked) * 100).toFixed(1)} %)`,
    );
}
rmSync(folder, { recursive: true, force: true });
