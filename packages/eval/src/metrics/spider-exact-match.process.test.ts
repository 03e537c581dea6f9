import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Adapter, resolveAdapter } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inputOf } from './fixtures/metric-input.ts';
import { spiderExactMatch } from './spider-exact-match.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'askema-exact-match-'));
const file = path.join(folder, 'school.sqlite');
let adapter: Adapter;

beforeAll(() => {
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE Class (id INTEGER PRIMARY KEY, room TEXT, size INT);
CREATE TABLE Pupil (pid INTEGER PRIMARY KEY, name TEXT, age INT, class_id INT REFERENCES Class);`);
  database.close();
  adapter = resolveAdapter(sqlite({ file, poolSize: 1 }));
});

afterAll(async () => {
  await adapter.close();
  rmSync(folder, { recursive: true });
});

async function score(gold: string | readonly string[], sql: string | undefined): Promise<unknown> {
  const goldSql = typeof gold === 'string' ? [gold] : gold;
  const run = (statement: string) => adapter.query(statement);
  return spiderExactMatch.score(inputOf({ question: { goldSql }, run, ...(sql === undefined ? {} : { sql }) }));
}

const JOINED = 'SELECT T1.name FROM pupil AS T1 JOIN class AS T2 ON T1.class_id = T2.id WHERE T2.room = "A1"';

describe('spiderExactMatch', () => {
  it.each([
    [
      'values do not count',
      "SELECT name FROM pupil WHERE age > 3 AND name = 'x'",
      "SELECT name FROM pupil WHERE name='y' and age>5",
    ],
    [
      'aliases and case do not count',
      JOINED,
      "select p.NAME from Pupil as p join Class as c on p.class_id = c.id where c.room = 'B'",
    ],
    [
      'the tables of a join may be turned',
      JOINED,
      "SELECT b.name FROM class AS a JOIN pupil AS b ON a.id = b.class_id WHERE a.room = 'A1'",
    ],
    ['columns of SELECT in any order', 'SELECT name, age FROM pupil', 'SELECT age, name FROM pupil'],
    ['DISTINCT does not count', 'SELECT DISTINCT name FROM pupil', 'SELECT name FROM pupil'],
    [
      'a foreign key makes two columns one',
      'SELECT T1.class_id FROM pupil AS T1 JOIN class AS T2 ON T1.class_id = T2.id',
      'SELECT T2.id FROM pupil AS T1 JOIN class AS T2 ON T1.class_id = T2.id',
    ],
    [
      'limits by their presence',
      'SELECT name FROM pupil ORDER BY age DESC LIMIT 1',
      'SELECT name FROM pupil ORDER BY age DESC LIMIT 5;',
    ],
    [
      'statements within',
      'SELECT name FROM pupil WHERE age > (SELECT avg(age) FROM pupil)',
      'SELECT name FROM pupil WHERE age > (SELECT AVG(age) FROM pupil)',
    ],
    [
      'set operations',
      'SELECT name FROM pupil EXCEPT SELECT room FROM class WHERE size > -1',
      'SELECT name FROM pupil EXCEPT SELECT room FROM class WHERE size > 9',
    ],
    [
      'groups',
      'SELECT count(*), age FROM pupil GROUP BY age HAVING count(*) > 1',
      'SELECT age, COUNT( * ) FROM pupil GROUP BY age HAVING count(*) > 7',
    ],
    [
      'a range',
      'SELECT name FROM pupil WHERE age BETWEEN 1 AND 2 OR age = 9',
      'SELECT name FROM pupil WHERE age = 1 OR age BETWEEN 3 AND 4',
    ],
  ])('%s', async (_name, gold, sql) => {
    expect(await score(gold, sql)).toBe(1);
    expect(await score(sql, gold)).toBe(1);
  });

  it.each([
    ['another column', 'SELECT name FROM pupil', 'SELECT age FROM pupil'],
    ['another aggregate', 'SELECT max(age) FROM pupil', 'SELECT min(age) FROM pupil'],
    ['a column too many', 'SELECT name FROM pupil', 'SELECT name, name FROM pupil'],
    ['another comparison', 'SELECT name FROM pupil WHERE age > 3', 'SELECT name FROM pupil WHERE age >= 3'],
    [
      'OR for AND',
      'SELECT name FROM pupil WHERE age > 3 AND name = "x"',
      'SELECT name FROM pupil WHERE age > 3 OR name = "x"',
    ],
    ['another direction', 'SELECT name FROM pupil ORDER BY age', 'SELECT name FROM pupil ORDER BY age DESC'],
    ['a limit', 'SELECT name FROM pupil', 'SELECT name FROM pupil LIMIT 3'],
    ['no HAVING', 'SELECT age FROM pupil GROUP BY age HAVING count(*) > 1', 'SELECT age FROM pupil GROUP BY age'],
    [
      'UNION for EXCEPT',
      'SELECT name FROM pupil EXCEPT SELECT room FROM class',
      'SELECT name FROM pupil UNION SELECT room FROM class',
    ],
    [
      'a table too many',
      'SELECT name FROM pupil',
      'SELECT T1.name FROM pupil AS T1 JOIN class AS T2 ON T1.class_id = T2.id',
    ],
    [
      'NOT IN for IN',
      'SELECT name FROM pupil WHERE class_id IN (SELECT id FROM class)',
      'SELECT name FROM pupil WHERE class_id NOT IN (SELECT id FROM class)',
    ],
    [
      'a statement within that differs',
      'SELECT name FROM pupil WHERE age > (SELECT avg(age) FROM pupil)',
      'SELECT name FROM pupil WHERE age > (SELECT max(age) FROM pupil)',
    ],
  ])('%s', async (_name, gold, sql) => {
    expect(await score(gold, sql)).toBe(0);
    expect(await score(sql, gold)).toBe(0);
  });

  it.each([
    '',
    'SELECT',
    'SELECT nothing FROM pupil',
    'SELECT name FROM nowhere',
    'SELECT name FROM pupil p',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    `SELECT name FROM ${'('.repeat(5000)}`,
    `SELECT name FROM pupil WHERE age IN ${'(SELECT age FROM pupil WHERE age IN '.repeat(2000)}`,
  ])('is 0 for what the grammar does not know: %.40s', async (sql) =>
    expect(await score('SELECT name FROM pupil', sql)).toBe(0),
  );

  it('takes any gold within the grammar, and does not apply without one', async () => {
    expect(await score(['SELECT CASE WHEN 1 THEN 2 END', 'SELECT age FROM pupil'], 'SELECT age FROM pupil')).toBe(1);
    expect(await score('SELECT CASE WHEN 1 THEN 2 END', 'SELECT age FROM pupil')).toBeUndefined();
    expect(await score([], 'SELECT age FROM pupil')).toBeUndefined();
    expect(await score('SELECT age FROM pupil', undefined)).toBe(0);
    expect(
      await spiderExactMatch.score(inputOf({ question: { goldSql: ['SELECT age FROM pupil'] }, sql: 'x' })),
    ).toBeUndefined();
  });
});
