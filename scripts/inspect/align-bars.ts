/**
 * How often values of conditions are aligned right, wrongly or not at all, without a model: on the mismatch questions of
 * text2sql-dev, on changed forms of cells, and on values that their column does not hold. Beside it what the nearest
 * cell would do that always replaces. Usage: node --conditions=@askema/source scripts/inspect/align-bars.ts [--seed N]
 * [--list]
 *
 * A model that does not know the cells writes what the question says: so the statement of a mismatch question is the
 * right one with the words of the question in the place of the stored value. ASKEMA_DATA names the folder that holds
 * text2sql-dev.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createCallContext } from '@askema/core';
import { alignValues } from '@askema/lint';
import {
  type AlignCase,
  changedForms,
  mismatchStatements,
  openDatabases,
  otherCells,
  QUESTIONS,
  takenAway,
} from './align-cases.ts';

const { values: options } = parseArgs({
  options: { seed: { type: 'string', default: '2408' }, list: { type: 'boolean', default: false } },
});
if (!existsSync(QUESTIONS)) {
  console.error(`${QUESTIONS} is not there; set ASKEMA_DATA to the folder that holds text2sql-dev.`);
  process.exit(1);
}

interface Tally {
  conditions: number;
  right: number;
  wrong: number;
  left: number;
  nearestRight: number;
  nearestWrong: number;
}

const context = createCallContext();
const databases = openDatabases();
const tallies = new Map<string, Tally>();

function count(
  set: string,
  { surface, stored }: AlignCase,
  cell: string | undefined,
  nearest: string | undefined,
): void {
  const none = { conditions: 0, right: 0, wrong: 0, left: 0, nearestRight: 0, nearestWrong: 0 };
  const tally = tallies.get(set) ?? none;
  tallies.set(set, tally);
  const isMeant = (found: string): boolean => found.trim() === stored?.trim();
  tally.conditions += 1;
  tally[cell === undefined ? 'left' : isMeant(cell) ? 'right' : 'wrong'] += 1;
  if (nearest !== undefined) tally[isMeant(nearest) ? 'nearestRight' : 'nearestWrong'] += 1;
  if (options.list && (cell === undefined ? stored !== undefined : !isMeant(cell)))
    console.log(`  ${set}: ${JSON.stringify(surface)} was ${JSON.stringify(cell)}, meant ${JSON.stringify(stored)}`);
}

let questions = 0;
const right = { before: 0, after: 0 };
for await (const { file, sql, gold, cases } of mismatchStatements(databases)) {
  const { adapter, catalog, index } = await databases.open(file);
  const { parser } = databases;
  const aligned = await alignValues(sql, { adapter, catalog, parser, valueIndex: index, context });
  const rows = async (statement: string): Promise<string> =>
    JSON.stringify((await adapter.query(statement)).rows.map((row) => JSON.stringify(row)).sort());
  const expected = await rows(gold);
  questions += 1;
  if ((await rows(sql)) === expected) right.before += 1;
  if ((await rows(aligned.sql)) === expected) right.after += 1;
  for (const one of cases) {
    const cell = aligned.readAs.find(({ value }) => value === one.surface)?.stored;
    count('mismatch questions', one, cell, await databases.nearest(one));
  }
}

const seed = Number(options.seed);
for await (const [set, cases] of [
  ['changed forms', changedForms(databases, seed)],
  ['cells of another column', otherCells(databases, seed)],
  ['cells that were taken away', takenAway(databases, seed)],
] as const)
  for await (const one of cases) {
    const sql = await databases.statementOf(one);
    const { adapter, catalog } = await databases.open(one.file);
    if ((await adapter.query(sql)).rows.length > 0) continue;
    const aligned = await alignValues(sql, { adapter, catalog, parser: databases.parser, context, ...one.look });
    const cell = aligned.readAs[0]?.stored;
    for (const name of one.group === undefined ? [set] : [set, `${set}: ${one.group}`])
      count(name, one, cell, await databases.nearest(one));
  }
await databases.close();

console.table(
  [...tallies].map(([set, { nearestRight, nearestWrong, ...tally }]) => ({
    set,
    ...tally,
    'nearest: right': nearestRight,
    'nearest: wrong': nearestWrong,
  })),
);
console.log(`${questions} mismatch questions: right before ${right.before}, once aligned ${right.after}`);
