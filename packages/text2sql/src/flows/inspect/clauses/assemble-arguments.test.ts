import type { Dialect } from '@askema/core';
import { lexSql } from '@askema/sql';
import { backslashDialect, fixtureDialect } from '@askema/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AssembleOptions, assembleSql } from './assemble-sql.ts';
import type { AddWhere, ClauseAction, ConditionOperand } from './clause-action.ts';

/** Names are compared without case and keep it; values as in SQLite. */
const plainDialect: Dialect = {
  ...fixtureDialect,
  name: 'sqlite',
  forms: { truthValues: 'numbers', setOperand: 'sub-query' },
  identifiers: { ...fixtureDialect.identifiers, unquotedFolding: 'none', comparison: 'insensitive' },
};
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
const sql = (expression: string): ConditionOperand => ({ kind: 'expression', sql: expression });

/** The condition behind WHERE. */
function condition(action: AddWhere, options: Partial<AssembleOptions> = {}): string {
  return assemble([SELECT, FROM, action], options).split('WHERE ')[1] ?? '';
}

describe('values', () => {
  it.each<[AddWhere, string]>([
    [where('x', '=', text("O'Neill")), "x = 'O''Neill'"],
    [where('x', '<>', { kind: 'number', value: '-1.5e3' }), 'x <> -1.5e3'],
    [where('x', '=', { kind: 'boolean', value: true }), 'x = 1'],
    [where('x', 'like', { kind: 'number', value: '19' }), "x LIKE '19'"],
    [where('x', 'in', text('a'), { kind: 'number', value: '2' }), "x IN ('a', 2)"],
    [where('x', 'not in', sql("('a', 'b')")), "x NOT IN ('a', 'b')"],
    [where('x', 'between', text('a'), sql('y + 1')), "x BETWEEN 'a' AND y + 1"],
    [where('x', 'is null'), 'x IS NULL'],
    [where('a = b', '=', sql('c OR d')), '(a = b) = (c OR d)'],
    [where('a = 1 OR b = 2', 'holds'), 'a = 1 OR b = 2'],
    [where('CASE WHEN a = 1 THEN 2 END', '=', { kind: 'number', value: '2' }), 'CASE WHEN a = 1 THEN 2 END = 2'],
  ])('%j', (action, written) => {
    expect(condition(action)).toBe(written);
  });

  it('truth is a word where the dialect has it', () => {
    expect(condition(where('x', '=', { kind: 'boolean', value: false }), { dialect: fixtureDialect })).toBe(
      'x = FALSE',
    );
  });

  it.each([
    ['doubled quotes', plainDialect, (literal: string) => literal.replaceAll("''", "'")],
    [
      'backslashes',
      backslashDialect,
      (literal: string) => literal.replace(/\\(.)/gs, (_, letter: string) => ({ n: '\n', r: '\r' })[letter] ?? letter),
    ],
  ])('any text survives quoting: %s', (_, dialect, unquote) => {
    const cell = fc.string({
      unit: fc.constantFrom("'", '"', '\\', '\n', '-', ';', '$', 'q', '1', ' ', 'é', '😀'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(cell, (value) => {
        const assembled = assembleSql([SELECT, FROM, where('x', '=', text(value))], { dialect });
        const tokens = lexSql(assembled.sql, dialect.lexer);
        const literal = tokens.at(-1);
        expect(literal?.kind).toBe('string');
        expect(unquote(literal?.text.slice(1, -1) ?? '')).toBe(value);
        expect(tokens.filter(({ kind }) => kind === 'string')).toHaveLength(1);
      }),
    );
  });
});

describe('sub-questions', () => {
  const qa = (id: string, use: 'value' | 'list' | 'rows'): ClauseAction => ({ action: 'qa', id, question: '?', use });
  const answers = { q1: 'SELECT max(y)\nFROM u -- all\n;', s2: 'SELECT y FROM u' };

  it.each<[string, ClauseAction, string]>([
    ['as a value', where('x', '=', sql('$q1')), 'x = (SELECT max(y) FROM u)'],
    ['within an expression', where('x', '>', sql('$q1 / 2')), 'x > (SELECT max(y) FROM u) / 2'],
    ['as a list', where('x', 'in', sql('$q1')), 'x IN (SELECT max(y) FROM u)'],
    ['in brackets already', where('x', 'not in', sql('( $q1 )')), 'x NOT IN ( SELECT max(y) FROM u )'],
    ['in brackets of a function', where('abs($q1)', '>', sql('1')), 'abs((SELECT max(y) FROM u)) > 1'],
    ['behind ANY', where('x', '>', sql('ANY ($q1)')), 'x > ANY (SELECT max(y) FROM u)'],
    ['as a question', where('$q1', 'not exists'), 'NOT EXISTS (SELECT max(y) FROM u)'],
    ['not within a text', where('x', '=', text('$q1')), "x = '$q1'"],
    ['not within a literal', where("x || '$q1'", 'is null'), "x || '$q1' IS NULL"],
  ])('%s', (_, action, written) => {
    expect(assemble([qa('q1', 'value'), SELECT, FROM, action], { answers }).split('WHERE ')[1]).toBe(written);
  });

  it('rows are a common table expression, which joins and lists can name', () => {
    const actions: readonly ClauseAction[] = [
      qa('s2', 'rows'),
      {
        action: 'add_from',
        relation: '$s2',
        joins: [{ kind: 'inner', relation: 't', on: [{ left: '$s2.y', right: 't.y' }] }],
      },
      { action: 'add_select', distinct: false, items: [{ expression: '$s2.y' }] },
      where('t.y', 'in', sql('$s2')),
    ];
    expect(assemble(actions, { answers })).toBe(
      'WITH s2 AS (\nSELECT y FROM u\n)\nSELECT s2.y\nFROM s2\nJOIN t ON s2.y = t.y\nWHERE t.y IN (SELECT * FROM s2)',
    );
  });

  it('a list as a relation is a sub-query with an alias', () => {
    const from: ClauseAction = { action: 'add_from', relation: '$s2', joins: [] };
    expect(assemble([qa('s2', 'list'), SELECT, from], { answers })).toBe('SELECT x\nFROM (SELECT y FROM u) AS s2');
  });

  it('a dialect whose lexer splits the mark from the id', () => {
    const dialect = { ...plainDialect, lexer: { ...plainDialect.lexer, parameterPrefixes: ['$'] } };
    const actions = [qa('q1', 'value'), SELECT, FROM, where('x', '=', sql('1 + $q1'))];
    expect(assemble(actions, { answers, dialect })).toBe(assemble(actions, { answers }));
  });

  it('the span of a sub-question stands inside that of the action that uses it', () => {
    const actions = [qa('q1', 'value'), SELECT, FROM, where('x', '=', sql('$q1 + $q1'))];
    const assembled = assembleSql(actions, { dialect: plainDialect, answers });
    const slices = assembled.spans
      .filter(({ action }) => action === 0)
      .map(({ span }) => assembled.sql.slice(span.start, span.end));
    expect(slices).toEqual(['SELECT max(y) FROM u', 'SELECT max(y) FROM u']);
  });

  it.each<[string, readonly ClauseAction[], Readonly<Record<string, string>>, RegExp]>([
    [
      'unknown',
      [qa('q1', 'value'), where('x', '=', sql('$q2'))],
      answers,
      /^1 add_where: There is no sub-question \$q2\. There are \$q1/,
    ],
    ['none at all', [where('x', '=', sql('$q2'))], answers, /No `qa` asks one/],
    ['not answered', [qa('q9', 'value'), where('x', '=', sql('$q9'))], answers, /has no answer yet/],
    ['several statements', [qa('q1', 'rows')], { q1: 'SELECT 1; DROP TABLE t' }, /several statements/],
    ['unbalanced', [qa('q1', 'value'), where('x', '=', sql('$q1'))], { q1: 'SELECT 1) OR (1' }, /unbalanced/],
    ['never closed', [qa('q1', 'value'), where('x', '=', sql('$q1'))], { q1: "SELECT 'a" }, /never closed/],
  ])('a problem: %s', (_, actions, given, message) => {
    expect(problemsOf([...actions, SELECT, FROM], { answers: given })).toEqual([expect.stringMatching(message)]);
  });
});

describe('arguments that are no expression are problems, never SQL', () => {
  it.each([
    ["x' OR 1=1 --", /never closed/],
    ['x -- y', /comment/],
    ['x /* y */', /comment/],
    ['x; DROP TABLE t', /semicolon/],
    ['x) OR (1', /never opened/],
    ['(x', /never closed/],
    ['(x]', /closes \]/],
    ['x FROM secrets', /FROM outside of brackets/],
    ['1 UNION SELECT y', /UNION outside/],
    ['SELECT 1', /SELECT outside/],
    ['x ORDER BY y', /BY outside/],
    ['x\0', /NUL/],
    ['', /is empty/],
  ])('%j', (expression, message) => {
    for (const action of [where(expression, 'is null'), where('x', '=', sql(expression))])
      expect(problemsOf([SELECT, FROM, action])).toEqual([expect.stringMatching(message)]);
    expect(problemsOf([FROM, { action: 'add_select', distinct: false, items: [{ expression }] }])).toEqual([
      expect.stringMatching(message),
    ]);
  });

  it.each([
    'x IS DISTINCT FROM y',
    't.from',
    '* EXCEPT (a)',
    'extract(year FROM d)',
    'sum(x) FILTER (WHERE y)',
    "x || ';--'",
    'max(x) OVER (ORDER BY y)',
    'a[0]',
  ])('%s is one', (expression) => {
    expect(assemble([{ action: 'add_select', distinct: false, items: [{ expression }] }])).toBe(`SELECT ${expression}`);
  });

  it.each<[string, readonly ClauseAction[], RegExp]>([
    ['a number', [where('x', '=', { kind: 'number', value: '1 OR 1=1' })], /is no number/],
    ['two selects', [SELECT], /one add_select only/],
    ['two relations', [FROM], /one add_from only/],
    ['a join without a condition', [], /has no condition/],
    ['a sub-query that is none', [where('x', 'exists')], /tests a sub-question/],
    ['a list where one belongs', [where('x, y', 'is null')], /several expressions/],
    ['NUL in a text', [where('x', '=', text('a\0'))], /NUL/],
    ['a limit that is none', [{ action: 'add_limit', count: -1 }], /no whole number/],
  ])('%s', (what, actions, message) => {
    const joins = what.includes('join') ? [{ kind: 'inner' as const, relation: 'u', on: [] }] : [];
    expect(problemsOf([SELECT, { action: 'add_from', relation: 't', joins }, ...actions])).toEqual([
      expect.stringMatching(message),
    ]);
  });
});
