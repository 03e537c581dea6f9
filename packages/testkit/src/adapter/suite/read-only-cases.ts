import { readdir } from 'node:fs/promises';
import { expect } from 'vitest';
import { HOSTILE_GROUPS, type HostileGroup, type HostileStatement } from '../hostile/hostile-statement.ts';
import { fillIn, groupOf, hostileStatements, isFamilyKnown, plantsOf } from '../hostile/hostile-statements.ts';
import type { AdapterBench, AdapterCase, OpenDatabase } from './adapter-bench.ts';
import { differencesOf, evidenceOf, type HostileYard, openYard, outcomeOf } from './hostile-yard.ts';

const REFUSALS = ['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED'];
/** So many characters of a statement are shown. */
const SHOWN = 500;
/** Groups whose statements may also run, or be stopped; they leave nothing. */
const MAY_RUN: readonly HostileGroup[] = ['bombs', 'harmless'];

/** A statement that was not refused as it must be, showed a secret, or left something. */
interface Unrefused {
  readonly attack: string;
  readonly sql: string;
  readonly outcome: string;
  /** Names that stand in the folder since. */
  readonly left: readonly string[];
}

/** Runs statements one after another, and gives those that were not refused as they must be. */
async function unrefused(
  database: OpenDatabase,
  statements: readonly HostileStatement[],
  yard: HostileYard,
): Promise<readonly Unrefused[]> {
  const wrong: Unrefused[] = [];
  let names = await namesIn(yard.folder);
  for (const statement of statements) {
    const { sql, attack } = statement;
    const isBomb = groupOf(statement) === 'bombs';
    const { outcome, errorClass, told } = await outcomeOf(database, sql, isBomb ? 300 : 10_000);
    const after = await namesIn(yard.folder);
    const left = after.filter((name) => !names.includes(name));
    names = after;
    const isTold = told.includes(yard.canary);
    if (isTold || left.length > 0 || !mayEndAs(statement, outcome, errorClass))
      wrong.push({
        attack,
        sql: sql.slice(0, SHOWN),
        outcome: isTold ? `showed the secret: ${told.slice(0, 300)}` : outcome,
        left,
      });
  }
  return wrong;
}

function mayEndAs(statement: HostileStatement, outcome: string, errorClass: string | undefined): boolean {
  if (MAY_RUN.includes(groupOf(statement))) return true;
  if (REFUSALS.includes(outcome)) return true;
  // What an engine cannot even parse, or a function that it does not know, is an ordinary error of it.
  return outcome === 'QUERY_FAILED' && (statement.harm === 'reach' || errorClass === 'syntax');
}

/** None where the folder is on another machine: then the engine's `state` alone tells. */
function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** The statements of some groups that the suite and the factory have for this database. */
function statementsFor(
  { dialect }: OpenDatabase['adapter'],
  groups: readonly HostileGroup[],
  ofFactory: readonly HostileStatement[],
  yard: HostileYard,
): readonly HostileStatement[] {
  const own = ofFactory.filter((statement) => groups.includes(groupOf(statement)));
  return [
    ...hostileStatements(dialect, { ...yard, groups }),
    ...own.map((statement) => ({ ...statement, sql: fillIn(statement.sql, yard) })),
  ];
}

/** Makes a database like the one at hand, for looking at one statement after another. */
type Again = (yard?: HostileYard) => Promise<OpenDatabase>;

/** Fails when a statement was not refused, showed the secret, or anything is otherwise than before. */
async function expectUnharmed(
  { hostileStatements: ofFactory }: AdapterBench,
  groups: readonly HostileGroup[],
  database: OpenDatabase,
  yard: HostileYard,
  again: Again,
): Promise<void> {
  const { adapter, loaded, fixture, rows, table } = database;
  const { dialect } = adapter;
  expect(
    isFamilyKnown(dialect) || ofFactory.length > 0,
    `The suite knows no attacks in the SQL of ${dialect.displayName}: its dialect "${dialect.name}" has the grammar "${dialect.grammar ?? 'generic'}". Give the dialect its grammar, or the factory \`hostileStatements\`.`,
  ).toBe(true);
  const statements = statementsFor(adapter, groups, ofFactory, yard);
  const before = await evidenceOf(database, yard);
  expect(await unrefused(database, statements, yard)).toEqual([]);
  const changed = differencesOf(before, await evidenceOf(database, yard));
  if (changed.length > 0 && loaded.folder === yard.folder)
    expect({ changed, by: await culpritsOf(ofFactory, groups, again) }).toEqual({ changed: [], by: [] });
  expect(changed).toEqual([]);
  for (const { name, rows: loadedRows } of fixture.tables)
    expect({ name, rows: await rows(`SELECT COUNT(*) FROM ${table(name)}`) }).toEqual({
      name,
      rows: [[loadedRows.length]],
    });
  expect(await rows('SELECT 1')).toEqual([[1]]);
}

/** Runs the statements once more, on a new database, and looks at everything after each of them. */
async function culpritsOf(
  ofFactory: readonly HostileStatement[],
  groups: readonly HostileGroup[],
  again: Again,
): Promise<readonly { readonly attack: string; readonly sql: string; readonly changed: readonly string[] }[]> {
  const database = await again();
  return within(await openYard(database.loaded), async (yard) => {
    const culprits = [];
    let before = await evidenceOf(database, yard);
    for (const statement of statementsFor(database.adapter, groups, ofFactory, yard)) {
      await unrefused(database, [statement], yard);
      const after = await evidenceOf(database, yard);
      const changed = differencesOf(before, after);
      before = after;
      if (changed.length > 0) culprits.push({ attack: statement.attack, sql: statement.sql.slice(0, SHOWN), changed });
      // More would not help, and takes its time.
      if (culprits.length === 5) break;
    }
    return culprits;
  });
}

/** As `await using`, which Node 22 does not know in sources. */
async function within<T>(yard: HostileYard, work: (yard: HostileYard) => Promise<T>): Promise<T> {
  try {
    return await work(yard);
  } finally {
    await yard[Symbol.asyncDispose]();
  }
}

/** A case on the shared database, which was opened for reading. */
function reading(title: string, group: HostileGroup, needs?: AdapterCase['needs']): AdapterCase {
  return {
    ...{ title, needs },
    async run(bench) {
      const database = await bench.open('shop');
      await within(await openYard(database.loaded), (yard) =>
        expectUnharmed(bench, [group], database, yard, () => bench.openFresh('shop')),
      );
    },
  };
}

/** A database in which a writer has planted what the statements use. */
async function openPlanted(bench: AdapterBench): Promise<{ database: OpenDatabase; yard: HostileYard }> {
  let yard: HostileYard | undefined;
  const { dialect } = (await bench.open('shop')).adapter;
  const database = await bench.openFresh('shop', 'read', async (loaded) => {
    yard = await openYard(loaded);
    const plants = plantsOf(dialect, yard);
    if (plants.length > 0 && loaded.plant === undefined)
      throw new Error('The suite has objects to plant: give `plant` of LoadedDatabase, which runs them as a writer.');
    await loaded.plant?.(plants);
  });
  if (yard === undefined) throw new Error('The database was not prepared.');
  return { database, yard };
}

/** Reading is the default; the hostile corpora must not change that. */
export const READ_ONLY_CASES = {
  'read-only-changes': reading(
    'Each change of data, objects, roles and files is refused, and leaves nothing.',
    'changes',
  ),
  'read-only-disguises': reading(
    'So it is behind comments, other statements, quotes, odd blanks and letters.',
    'disguises',
  ),
  'read-only-session': reading('Settings, transactions, locks and temporary objects are refused.', 'session'),
  'read-only-reach': reading('No file, program, network, code or other database is reached.', 'reach'),
  'read-only-functions': reading('Functions of the engine that do more than compute are refused.', 'functions'),
  'read-only-planted': {
    title: 'Views, functions and other objects that somebody planted lead to nothing of it.',
    async run(bench) {
      const { database, yard } = await openPlanted(bench);
      await within(yard, () =>
        expectUnharmed(bench, ['planted'], database, yard, async () => (await openPlanted(bench)).database),
      );
    },
  },
  'read-only-bombs': reading(
    'Work and memory without end stop within their time, and the next statement runs.',
    'bombs',
    'stopping',
  ),
  'read-only-harmless': reading('What may run leaves no trace in the engine, and none for the next.', 'harmless'),
  'read-only-call': {
    title: 'An adapter that may write reads all the same when the call says so.',
    needs: 'writing',
    async run(bench) {
      const groups = HOSTILE_GROUPS.filter((group) => group !== 'planted' && !MAY_RUN.includes(group));
      const database = await bench.openOwn('shop', 'write');
      await within(await openYard(database.loaded), (yard) =>
        expectUnharmed(bench, groups, database, yard, () => bench.openFresh('shop', 'write')),
      );
    },
  },
} satisfies Record<string, AdapterCase>;
