import { AskemaError, type Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { inputOf, resultOf } from './fixtures/metric-input.ts';
import { testSuiteAccuracy } from './test-suite-accuracy.ts';

type Contents = Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>;

/** Scores `candidate` against `gold` where each content knows the rows of some statements and fails on others. */
function score(contents: Contents, gold: string | readonly string[], candidate: string | undefined): unknown {
  const goldSql = typeof gold === 'string' ? [gold] : gold;
  const run = async (sql: string, variant = 'main') => {
    const rows = contents[variant]?.[sql];
    if (rows === undefined) throw new AskemaError('QUERY_FAILED', `no such column in ${sql}`);
    return resultOf(rows);
  };
  const variants = Object.keys(contents).filter((name) => name !== 'main');
  const sql = candidate === undefined ? {} : { sql: candidate };
  return testSuiteAccuracy.score(
    inputOf({ question: { goldSql }, gold: goldSql.map(() => []), variants, run, ...sql }),
  );
}

describe('testSuiteAccuracy', () => {
  it('finds right only what is right on every content', async () => {
    const same = { g: [[1], [2]], c: [[2], [1]] };
    expect(await score({ main: same, v1: same }, 'g', 'c')).toBe(1);
    expect(await score({ main: same, v1: { g: [[1]], c: [[3]] } }, 'g', 'c')).toBe(0);
    expect(await score({ main: same, v1: { g: [[1]] } }, 'g', 'c')).toBe(0);
    expect(await score({ main: same, v1: same }, 'g', undefined)).toBe(0);
  });

  it('leaves DISTINCT out of both, but not out of texts', async () => {
    const rows = { "select  a from t where b = 'distinct'": [[1], [1]], 'select  a from t': [[1], [1]] };
    const gold = "select distinct a from t where b = 'distinct'";
    expect(await score({ main: rows, v1: rows }, gold, 'select DISTINCT a from t')).toBe(1);
  });

  it('minds row order where gold has an ORDER BY, takes columns in any order and empty results as equal', async () => {
    const ordered = {
      'g order  by 1': [
        [1, 'a'],
        [2, 'b'],
      ],
      c: [
        ['b', 2],
        ['a', 1],
      ],
      d: [
        ['a', 1],
        ['b', 2],
      ],
    };
    expect(await score({ main: ordered, v1: ordered }, 'g order  by 1', 'c')).toBe(0);
    expect(await score({ main: ordered, v1: ordered }, 'g order  by 1', 'd')).toBe(1);
    const empty = { g: [], c: [] };
    expect(await score({ main: empty, v1: empty }, 'g', 'c')).toBe(1);
  });

  it('does not apply without further contents, or where no gold runs on all of them', async () => {
    expect(await score({ main: { g: [[1]], c: [[1]] } }, 'g', 'c')).toBeUndefined();
    expect(await score({ main: { g: [[1]], c: [[1]] }, v1: { c: [[1]] } }, 'g', 'c')).toBeUndefined();
    const both = { main: { g: [[1]], h: [[1]], c: [[1]] }, v1: { h: [[1]], c: [[1]] } };
    expect(await score(both, ['g', 'h'], 'c')).toBe(1);
  });

  it('lets a stop through', async () => {
    const run = () => Promise.reject(new AskemaError('ABORTED', 'stopped'));
    await expect(testSuiteAccuracy.score(inputOf({ gold: [[[1]]], sql: 'c', variants: ['v'], run }))).rejects.toThrow(
      'stopped',
    );
  });
});
