import { type Catalog, type QueryResult, resolveAdapter } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { inspectSql } from '@askema/lint';
import { sqlparserTs } from '@askema/sql-parser';
import { afterAll, expect, it } from 'vitest';
import { scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import { answerSignals } from './answer-signals.ts';

const parser = sqlparserTs();
afterAll(() => parser.close());
const catalog: Catalog = await resolveAdapter(scriptedAdapter(() => [])).introspect();

async function holding(sql: string, rows = 1, columns = 1): Promise<string[]> {
  const { query } = await inspectSql(sql, { catalog, dialect: sqliteDialect, parser });
  const result = { rows: new Array(rows).fill([]), columns: new Array(columns).fill({}) } as unknown as QueryResult;
  return Object.entries(answerSignals(query, result)).flatMap(([name, value]) => (value === 1 ? [name] : []));
}

it.each([
  ['SELECT COUNT(*) FROM a', []],
  ['SELECT', ['isUnparsed']],
  ['SELECT x FROM a JOIN b ON a.i = b.i JOIN c ON b.i = c.i', ['hasManyRelations']],
  ['SELECT x FROM a WHERE y IS NOT NULL', ['leavesMissingOut']],
  ["SELECT x FROM a WHERE y <> 'N/A'", ['leavesMissingOut']],
  ["SELECT x FROM a WHERE y <> 'open' AND z IS NULL", []],
  ['SELECT MAX(CAST(x AS REAL)) FROM a', ['castsValues']],
  ['SELECT name, COUNT(*) FROM a GROUP BY id, name', ['groupsByHidden']],
  ['SELECT name, COUNT(*) FROM a GROUP BY name', []],
  ['SELECT DISTINCT x FROM a', ['isDistinct']],
])('%s', async (sql, expected) => {
  expect(await holding(sql)).toEqual(expected);
});

it('tells a list and several columns from one value', async () => {
  expect(await holding('SELECT x FROM a', 3)).toEqual(['hasManyRows']);
  expect(await holding('SELECT x, y FROM a', 2, 2)).toEqual(['hasManyColumns']);
});

it.each([
  ['SELECT name FROM a ORDER BY height DESC', true],
  ['SELECT name FROM a GROUP BY name ORDER BY COUNT(*) DESC NULLS LAST', true],
  ['SELECT a.name, height FROM a ORDER BY a.height DESC', false],
  ['SELECT name, COUNT(*) FROM a GROUP BY name ORDER BY count(*) DESC', false],
  ['SELECT name, COUNT(*) AS n FROM a GROUP BY name ORDER BY n, 1', false],
  ['SELECT * FROM a ORDER BY height', false],
])('tells an order that nobody sees: %s', async (sql, expected) => {
  expect((await holding(sql, 2)).includes('hidesSortKey')).toBe(expected);
  expect(await holding(sql, 1)).not.toContain('hidesSortKey');
});
