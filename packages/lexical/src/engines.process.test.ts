import type { Dialect, Row } from '@askema/core';
import { duckdbDialect, postgresDialect } from '@askema/dialects';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshPostgres } from '../../../scripts/testing/fresh-postgres.ts';
import { type EngineLeague, engineLeague, type RunOnEngine } from './testing/engine-league.ts';
import { multiset } from './testing/expect-answer.ts';
import { openLeague } from './testing/league.ts';
import { LEAGUE_ANSWERS } from './testing/league-answers.ts';
import { LEAGUE_ANSWERS_ACROSS_TABLES } from './testing/league-answers-across-tables.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const league = openLeague();
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

/** OIDs of int8, numeric and date (pg_type.dat): dates stay the text that the server sends. */
const PARSERS = { 20: Number, 1700: Number, 1082: (text: string) => text };

async function openPostgres(): Promise<RunOnEngine> {
  const database = await freshPostgres();
  closers.push(() => database.close());
  return async (sql, parameters) => {
    const { rows } = await database.query<Row>(sql, [...parameters], { rowMode: 'array', parsers: PARSERS });
    return rows;
  };
}

async function openDuckdb(): Promise<RunOnEngine> {
  // More threads than one wait for one another longer than such small tables take.
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection: DuckDBConnection = await instance.connect();
  closers.push(() => {
    connection.closeSync();
    instance.closeSync();
  });
  return async (sql, parameters) =>
    (await connection.runAndReadAll(sql, [...parameters])).getRowsJson() as readonly Row[];
}

const ENGINES: readonly [
  Dialect,
  { readonly schema: string; readonly database?: string },
  () => Promise<RunOnEngine>,
][] = [
  [postgresDialect, { schema: 'Sport' }, openPostgres],
  [duckdbDialect, { database: 'memory', schema: 'sport' }, openDuckdb],
];

/** Several answers are right: groups of the same size come in any order. */
const TIES: ReadonlySet<string> = new Set([
  'What is the most common position?',
  'Show the number of teams in each country in descending order',
]);

describe.each(ENGINES)('on $displayName', (dialect, namespace, open) => {
  let on: EngineLeague;
  beforeAll(async () => {
    on = await engineLeague(league, dialect, namespace, await open());
  });

  const cases = [LEAGUE_ANSWERS, LEAGUE_ANSWERS_ACROSS_TABLES].flatMap((each) => Object.values(each).flat());

  it.each(cases)('%s', async (question, expectedSql) => {
    const answer = await on.ask(question);
    expect(answer, answer.explanation).toMatchObject({ outcome: 'sql' });
    const actual = await on.rows(answer.sql);
    const expected = league.rows(expectedSql).map((row) => row.map(rounded));
    if (TIES.has(question)) expect(actual).toHaveLength(expected.length);
    else if (/ORDER BY/iu.test(expectedSql)) expect(actual, answer.sql).toEqual(expected);
    else expect(multiset(actual), answer.sql).toEqual(multiset(expected));
  });
});

function rounded(cell: unknown): unknown {
  return typeof cell === 'number' ? Math.round(cell * 1e9) / 1e9 : cell;
}
