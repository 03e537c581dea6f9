import { firstWordOf, plannerOf, runCall } from '@askema/adapter-kit';
import type { Dialect, EngineRead, Planner, PlanVerdict, Row } from '@askema/core';
import { fillParameters, nameOfToken, qualifiedRelations, relationPlaces, statementKind } from '@askema/sql';
import { type Database, type Transaction, transactionCall } from './connection/call.ts';
import { isReadOnlyRefusal } from './errors/statement-failure.ts';
import { prepareStatement, readingRefusal } from './executor.ts';
import { allowedCalls } from './reading/unknown-call.ts';

/**
 * Prepares a statement and, where it reads, asks for its plan without running it, in a read-only transaction: its kind,
 * the tables, the rows that the server expects, or its complaint. What this adapter never runs is `invalid`. A write is
 * only prepared.
 */
export function createPlanner(database: Database): Planner {
  return plannerOf((sql, limits) =>
    runCall(database.pool, transactionCall(database, limits), (open) => checkStatement(database, open, sql)),
  );
}

async function checkStatement(database: Database, open: Transaction, sql: string): Promise<PlanVerdict> {
  const { dialect } = database.options;
  const { lexer } = dialect;
  const statement = statementKind(sql, lexer);
  const reads = statement === 'read';
  // To prepare a change that calls such a function would run it.
  const runs = reads ? undefined : await readingRefusal(database, open, sql);
  if (runs !== undefined && runs.probe === undefined) return { verdict: 'ok', statement };
  await prepareStatement(database, open, sql, reads ? 'read' : 'write').catch((thrown: unknown) => {
    // The transaction refuses to prepare what changes data: then its kind is all that is known.
    if (reads || !isReadOnlyRefusal(thrown)) throw thrown;
  });
  // What is shown or described has no plan.
  const hasPlan = reads && !['EXPLAIN', 'SHOW', 'DESCRIBE', 'DESC'].includes(firstWordOf(sql, dialect));
  if (!hasPlan) return { verdict: 'ok', statement };
  const { isMariadb } = open.session.server;
  // Values that the server does not know while it plans.
  const text = fillParameters(sql, lexer, { value: 'RAND()', count: '1' });
  const explained = open.session.query(`EXPLAIN ${isMariadb ? 'EXTENDED ' : ''}${text}\n`);
  const steps = await open.limits.race(explained).catch((thrown: unknown) => {
    // Not every place takes a number that nobody knows.
    if (text === sql || open.limits.error() !== undefined) throw thrown;
    return undefined;
  });
  // The statement as the server rewrote it is the last note of EXPLAIN, unless others have filled the list.
  const notes = steps === undefined ? [] : await open.limits.race(open.session.query('SHOW WARNINGS'));
  const rewritten = notes.find(([, code]) => Number(code) === REWRITTEN)?.[2];
  // What it reads is known to nobody, and is no relation of the catalog.
  if (steps === undefined || rewritten === undefined)
    return { verdict: 'ok', statement, reads: [{ nameParts: { relation: '' } }] };
  const known = await open.limits.race(database.routines(open.session));
  return {
    ...{ verdict: 'ok', statement, estimatedRows: rowsOfPlan(steps) },
    reads: readsOf(sql, String(rewritten), steps, lexer),
    routines: allowedCalls(sql, dialect, known),
  };
}

/** `ER_YES`, the note with the rewritten statement. */
const REWRITTEN = 1003;

/**
 * The product of the rows of the tables that the first SELECT joins: what a step reads, and the percentage that is left.
 * https://mariadb.com/kb/en/explain/: the last three columns are `rows`, `filtered` and `Extra`.
 */
function rowsOfPlan(steps: readonly Row[]): number {
  const joined = steps.filter(([id]) => id === steps[0]?.[0]);
  return Math.ceil(
    joined.reduce((product, step) => (product * Number(step.at(-3) ?? 1) * Number(step.at(-2) ?? 100)) / 100, 1),
  );
}

/**
 * The tables in a statement as the server rewrote it: with the tables of views that it merged, and a view that it
 * computes first by its own name. A subquery that it computed while it planned is left out there, and stands in the
 * steps of the plan, under its alias. Columns of rows that were looked up already are values there: not all are named.
 */
function readsOf(sql: string, rewritten: string, steps: readonly Row[], lexer: Dialect['lexer']): EngineRead[] {
  const tables = qualifiedRelations(rewritten, lexer);
  const known = new Set<unknown>(tables.map(({ alias }) => alias));
  const written = relationPlaces(sql, lexer);
  // `<derived2>` and `<union1,2>` are no tables.
  const others = steps
    .map((step) => String(step[2] ?? '<>'))
    .filter((name) => !name.startsWith('<') && !known.has(name));
  const behind = (alias: string): string =>
    written.find(({ next }) => next && nameOfToken(next, lexer) === alias)?.path.at(-1) ?? alias;
  return [
    ...tables.map(({ schema, relation, columns }) => ({ nameParts: { schema, relation }, columns })),
    ...[...new Set(others)].map((alias) => ({ nameParts: { relation: behind(alias) } })),
  ];
}
