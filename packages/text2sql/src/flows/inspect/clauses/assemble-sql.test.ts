import type { Dialect } from '@askema/core';
import { backslashDialect, catalogFixture, fixtureDialect, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { type AssembleOptions, actionAt, assembleSql } from './assemble-sql.ts';
import type { AddWhere, ClauseAction, ConditionOperand } from './clause-action.ts';

/** Names are compared without case and keep it; values as in SQLite. */
const plainDialect: Dialect = {
  ...fixtureDialect,
  name: 'sqlite',
  forms: { truthValues: 'numbers', setOperand: 'sub-query' },
  identifiers: { ...fixtureDialect.identifiers, unquotedFolding: 'none', comparison: 'insensitive' },
};
const catalog = catalogFixture(
  schemaFixture({
    Singer: { attributes: ['Id NUMERIC', 'Name TEXT', 'order TEXT', 'Free Meals (K-12) NUMERIC', 'a.b TEXT'] },
    'order details': { attributes: ['Id NUMERIC', 'two words TEXT'] },
  }),
);
const SELECT: ClauseAction = { action: 'add_select', distinct: false, items: [{ expression: 'x' }] };
const FROM: ClauseAction = { action: 'add_from', relation: 't', joins: [] };

function assemble(actions: readonly ClauseAction[], options: Partial<AssembleOptions> = {}): string {
  const { sql, problems } = assembleSql(actions, { dialect: plainDialect, ...options });
  expect(problems).toEqual([]);
  return sql;
}

function problemsOf(actions: readonly ClauseAction[], options: Partial<AssembleOptions> = {}): readonly string[] {
  const { sql, spans, problems } = assembleSql(actions, { dialect: plainDialect, ...options });
  expect({ sql, spans }).toEqual({ sql: '', spans: [] });
  return problems.map(({ action, message }) => `${action} ${message}`);
}

const where = (left: string, operator: AddWhere['operator'], ...right: readonly ConditionOperand[]): AddWhere => ({
  action: 'add_where',
  left,
  operator,
  right,
});
const text = (value: string): ConditionOperand => ({ kind: 'text', value });

describe('the statement', () => {
  const actions: readonly ClauseAction[] = [
    { action: 'add_limit', count: 3, offset: 6 },
    {
      action: 'add_order_by',
      keys: [
        { expression: 'n', direction: 'desc', nulls: 'last' },
        { expression: 'a.x', direction: 'asc' },
      ],
    },
    { action: 'add_having', left: 'count(*)', operator: '>', right: [{ kind: 'number', value: '2' }] },
    { action: 'add_group_by', expressions: ['a.x'] },
    { ...where('a.y', '=', text('1')), link: 'or' },
    { ...where('b.z', 'is not null'), link: 'or' },
    { action: 'add_group_by', expressions: ['a.y', 'b.z'] },
    {
      action: 'add_from',
      relation: 't',
      alias: 'a',
      joins: [
        {
          kind: 'inner',
          relation: 'u',
          alias: 'b',
          on: [
            { left: 'a.i', right: 'b.i' },
            { left: 'a.j', right: 'b.j' },
          ],
          condition: 'b.k > 1 OR b.k = 0',
        },
        { kind: 'cross', relation: 'v', on: [] },
      ],
    },
    { action: 'add_select', distinct: true, items: [{ expression: 'a.x' }, { expression: 'count(*)', alias: 'n' }] },
  ];
  const lines = [
    'SELECT DISTINCT a.x, count(*) AS n',
    'FROM t AS a',
    'JOIN u AS b ON a.i = b.i AND a.j = b.j AND (b.k > 1 OR b.k = 0)',
    'CROSS JOIN v',
    "WHERE a.y = '1'",
    '  OR b.z IS NOT NULL',
    'GROUP BY a.x, a.y, b.z',
    'HAVING count(*) > 2',
    'ORDER BY n DESC NULLS LAST, a.x',
    'LIMIT 3 OFFSET 6',
  ];

  it('has a line for each clause, in the order of SQL, whatever the order of the actions', () => {
    expect(assemble(actions)).toBe(lines.join('\n'));
    expect(assemble([...actions.slice(7), ...actions.slice(0, 7)])).toBe(lines.join('\n'));
  });

  it('knows what each action wrote', () => {
    const assembled = assembleSql(actions, { dialect: plainDialect });
    const slices = assembled.spans.map(({ action, span }) => [action, assembled.sql.slice(span.start, span.end)]);
    expect(slices).toEqual([
      [8, lines[0]],
      [7, lines.slice(1, 4).join('\n')],
      [4, "a.y = '1'"],
      [5, 'b.z IS NOT NULL'],
      [3, 'a.x'],
      [6, 'a.y, b.z'],
      [2, lines[7]],
      [1, lines[8]],
      [0, lines[9]],
    ]);
    const start = assembled.sql.indexOf('b.z');
    expect(actionAt(assembled.spans, { start, end: start + 3 })).toBe(5);
    expect(actionAt(assembled.spans, { start: 0, end: assembled.sql.length })).toBeUndefined();
  });

  it('a constant needs no relation', () => {
    expect(assemble([{ action: 'add_select', distinct: false, items: [{ expression: '1 + 1' }] }])).toBe(
      'SELECT 1 + 1',
    );
  });
});

describe('names', () => {
  const from = (relation: string, alias?: string): ClauseAction => ({ action: 'add_from', relation, alias, joins: [] });
  const select = (...items: readonly string[]): ClauseAction => ({
    action: 'add_select',
    distinct: false,
    items: items.map((expression) => ({ expression })),
  });

  it.each<[string, ClauseAction, string]>([
    ['as the catalog has them', from('SINGER'), 'FROM Singer'],
    ['quoted where they must be', from('order details', 'order'), 'FROM "order details" AS "order"'],
    ['unknown ones as they are', from('nosuch'), 'FROM nosuch'],
    ['unknown ones that are not plain', from('no such; DROP TABLE x'), 'FROM "no such; DROP TABLE x"'],
    ['with their quotes', from('"order details"', '"D"'), 'FROM "order details" AS "D"'],
    ['functions', from('json_each(a.b)', 'j'), 'FROM json_each(a.b) AS j'],
  ])('of relations: %s', (_, action, line) => {
    expect(assemble([select('1'), action], { catalog }).split('\n')[1]).toBe(line);
  });

  it.each([
    ['name', 'name'],
    ['s.order', 's."order"'],
    ['order', '"order"'],
    ['Free Meals (K-12)', '"Free Meals (K-12)"'],
    ['s.Free Meals (K-12)', 's."Free Meals (K-12)"'],
    ['a.b', '"a.b"'],
    ['s.a.b', 's."a.b"'],
    ['s.*', 's.*'],
    ['order details.two words', '"order details"."two words"'],
    ['s."order"', 's."order"'],
    ['s.nosuch', 's.nosuch'],
    ['upper(s.name)', 'upper(s.name)'],
    ["'name'", "'name'"],
  ])('of columns: %s', (expression, written) => {
    expect(assemble([select(expression), from('Singer', 's')], { catalog })).toBe(
      `SELECT ${written}\nFROM Singer AS s`,
    );
  });

  it('an alias keeps the form in which expressions name it', () => {
    const sensitive = { ...catalog, nameComparison: 'sensitive' as const };
    const actions = [select('t1.NAME', 't1.name'), from('t', 't1')];
    expect(assemble(actions, { dialect: fixtureDialect, catalog: sensitive })).toBe(
      'SELECT t1.NAME, t1.name\nFROM t AS t1',
    );
  });

  it('a column that folding would change is quoted', () => {
    const lower = catalogFixture(schemaFixture({ T: { attributes: ['id NUMERIC', 'NAME TEXT', 'ORDER NUMERIC'] } }), {
      nameComparison: 'sensitive',
    });
    expect(
      assemble([select('a.id', 'a.name', 'a.order'), from('t', 'a')], { dialect: fixtureDialect, catalog: lower }),
    ).toBe('SELECT a."id", a.name, a."ORDER"\nFROM T AS a');
  });

  it('an alias of the select list that is not plain', () => {
    const actions: readonly ClauseAction[] = [
      { action: 'add_select', distinct: false, items: [{ expression: 'count(*)', alias: 'how many' }] },
      { action: 'add_order_by', keys: [{ expression: 'how many', direction: 'desc' }] },
    ];
    expect(assemble(actions)).toBe('SELECT count(*) AS "how many"\nORDER BY "how many" DESC');
  });
});

describe('several queries', () => {
  const merge: ClauseAction = { action: 'add_merge', operator: 'union' };
  const limit: ClauseAction = { action: 'add_limit', count: 1 };
  const order: ClauseAction = { action: 'add_order_by', keys: [{ expression: 'x', direction: 'asc' }] };

  it('the order of the last one belongs to the whole', () => {
    expect(assemble([SELECT, FROM, merge, SELECT, FROM, order, limit])).toBe(
      'SELECT x\nFROM t\nUNION\nSELECT x\nFROM t\nORDER BY x\nLIMIT 1',
    );
  });

  it('that of an earlier one stays inside, in the form of the dialect', () => {
    const actions = [SELECT, FROM, order, limit, merge, SELECT, FROM];
    expect(assemble(actions)).toBe('SELECT * FROM (SELECT x\nFROM t\nORDER BY x\nLIMIT 1)\nUNION\nSELECT x\nFROM t');
    expect(assemble(actions, { dialect: fixtureDialect })).toContain('(SELECT x\nFROM t\nORDER BY x\nLIMIT 1)\nUNION');
  });

  it('BigQuery says DISTINCT', () => {
    const bigquery: Dialect = { ...backslashDialect, forms: { setDistinct: 'written' } };
    expect(assemble([SELECT, FROM, merge, SELECT, FROM], { dialect: bigquery })).toContain('\nUNION DISTINCT\n');
  });

  it('each selects', () => {
    expect(problemsOf([SELECT, FROM, merge, FROM])).toEqual([expect.stringContaining('Nothing is selected')]);
    expect(problemsOf([])).toEqual([expect.stringContaining('Nothing is selected')]);
  });
});

describe('conditions', () => {
  const linked = (left: string, link?: 'and' | 'or', group?: number): ClauseAction => ({
    ...where(left, 'is null'),
    link,
    group,
  });

  it('groups stand in brackets', () => {
    expect(assemble([SELECT, FROM, linked('a'), linked('b', 'and', 1), linked('c', 'or', 1)])).toContain(
      'WHERE a IS NULL\n  AND (b IS NULL OR c IS NULL)',
    );
  });

  it('a condition that holds an OR is kept together', () => {
    const holds: ClauseAction = { ...where('a = 1 OR b = 2', 'holds'), link: 'and' };
    expect(assemble([SELECT, FROM, linked('c'), holds])).toContain('c IS NULL\n  AND (a = 1 OR b = 2)');
  });

  it('a given tree decides', () => {
    const actions = [SELECT, FROM, linked('a'), linked('b', 'and'), linked('c', 'or')];
    const leaf = (action: number) => ({ kind: 'condition' as const, action });
    const tree = { kind: 'and' as const, operands: [leaf(2), { kind: 'or' as const, operands: [leaf(3), leaf(4)] }] };
    expect(assemble(actions)).toContain('(a IS NULL AND b IS NULL)\n  OR c IS NULL');
    expect(assemble(actions, { trees: [{ clause: 'where', segment: 0, tree }] })).toContain(
      'a IS NULL\n  AND (b IS NULL OR c IS NULL)',
    );
    expect(problemsOf(actions, { trees: [{ clause: 'where', segment: 0, tree: leaf(2) }] })).toEqual([
      expect.stringContaining('each of its conditions once'),
    ]);
  });
});
