import { fixtureDialect } from '@askema/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleSql } from './assemble-sql.ts';
import { CLAUSE_ACTIONS } from './clause-action.ts';
import { describeAction } from './describe-action.ts';
import { parseActions } from './parse-actions.ts';

function read(...raw: readonly unknown[]): readonly string[] {
  const { actions, problems } = parseActions(raw);
  expect(problems).toEqual([]);
  return actions.map(describeAction);
}

const where = (fields: object) => ({ action: 'add_where', left: 'x', operator: '=', ...fields });

describe('lenient in form', () => {
  it.each<[string, unknown, string]>([
    ['case of names', { Action: 'ADD_LIMIT', Count: '5' }, 'add_limit(5)'],
    [
      'camel case',
      { action: 'addOrderBy', keys: ['a DESC', { expression: 'b', direction: 'Ascending' }] },
      'add_order_by(a desc, b asc)',
    ],
    ['a tool call', { name: 'add_limit', arguments: '{"count": 5, "offset": 10}' }, 'add_limit(5 offset 10)'],
    ['a synonym of an operator', where({ operator: '!=', right: [{ kind: 'number', value: 3 }] }), 'add_where(x <> 3)'],
    ['a doubled sign', where({ operator: '==', right: 3 }), 'add_where(x = 3)'],
    ['blanks and case', where({ operator: 'NOT  Like', right: ['%a'] }), "add_where(x not like '%a')"],
    [
      'IS with NULL',
      where({ operator: 'IS NOT', right: [{ kind: 'expression', value: 'NULL' }] }),
      'add_where(x is not null)',
    ],
    ['an empty operand', where({ operator: 'is null', right: [{ kind: 'text', value: '' }] }), 'add_where(x is null)'],
    ['no list', where({ operator: 'in', right: { kind: 'expression', value: '$q1' } }), 'add_where(x in ($q1))'],
    [
      'exists on the right',
      { action: 'add_where', operator: 'exists', left: '', right: ['$q1'] },
      'add_where(exists $q1)',
    ],
    ['a sub-question as a text', where({ right: ['$q1'] }), 'add_where(x = $q1)'],
    [
      'quotes of SQL around a text',
      where({ right: [{ kind: 'text', value: "'O''Neill'" }] }),
      "add_where(x = 'O''Neill')",
    ],
    ['links', where({ right: 1, link: 'AND', group: '2' }), 'add_where(and x = 1; group 2)'],
    [
      'a word for a join',
      {
        action: 'add_from',
        relation: 'a AS t',
        joins: { join_type: 'LEFT OUTER JOIN', relation: 'b', on: 't.x = b.x' },
      },
      'add_from(a as t, left join b on t.x = b.x)',
    ],
    [
      'a condition in on',
      { action: 'add_from', relation: 'a', joins: [{ relation: 'b', on: ['a.x > b.x'] }] },
      'add_from(a, inner join b on a.x > b.x)',
    ],
    ['minus', { action: 'add_merge', operator: 'MINUS' }, 'add_merge(except)'],
    ['one expression', { action: 'add_group_by', expressions: 'a' }, 'add_group_by(a)'],
    [
      'DISTINCT in front of the first item',
      { action: 'add_select', expressions: ['DISTINCT a.b', 'c AS d'] },
      'add_select(distinct a.b, c as d)',
    ],
    ['DISTINCT ON', { action: 'add_select', expressions: ['DISTINCT ON (a) b'] }, 'add_select(DISTINCT ON (a) b)'],
    [
      'texts as items',
      { action: 'add_select', items: ['a', { expression: 'b', alias: 'c' }] },
      'add_select(a, b as c)',
    ],
    ['the mark of an id', { action: 'qa', id: '$q1', question: 'Who?', use: 'scalar' }, 'add_qa'],
  ])('%s', (_, raw, described) => {
    expect(read(raw)).toEqual([described === 'add_qa' ? 'qa($q1, value: Who?)' : described]);
  });

  it('quotes that may be part of the cell stay', () => {
    for (const value of ['"Hey"', "'", "'a' or 'b'", "it's", "'a", "'' or 1=1 --'"])
      expect(parseActions([where({ right: [{ kind: 'text', value }] })]).actions).toMatchObject([
        { right: [{ value }] },
      ]);
  });

  it('the mark of a sub-question is its answer, whatever kind it was given; that of none is a text', () => {
    const asked = { action: 'qa', id: 'q1', question: 'Who?', use: 'value' };
    const marks = [
      where({ right: [{ kind: 'text', value: '$q1' }] }),
      where({ right: [{ kind: 'text', value: '$5' }] }),
    ];
    expect(read(...marks, asked).slice(0, 2)).toEqual(['add_where(x = $q1)', "add_where(x = '$5')"]);
  });

  it('blanks around a text stay, because cells have them', () => {
    expect(parseActions([where({ right: [{ kind: 'text', value: ' volvo ' }] })]).actions).toMatchObject([
      { right: [{ value: ' volvo ' }] },
    ]);
  });
});

describe('strict in meaning', () => {
  it.each<[unknown, RegExp, string?]>([
    [{ action: 'add_wher', left: 'x' }, /no action "add_wher".*`add_where`/, 'add_where'],
    [{ action: 'add_join' }, /joins are arguments of `add_from`/, 'add_from'],
    [{ left: 'x' }, /name of the action is missing/],
    ['add_where', /must be an object/],
    [where({ operator: 'lik', right: ['a'] }), /operator "lik" is not known\. Did you mean `like`/, 'like'],
    [where({ operator: 'ilike', right: ['a'] }), /is not known/, 'like'],
    [where({}), /`=` takes one operand in right, not 0/],
    [where({ operator: 'between', right: [1] }), /two operands/],
    [where({ operator: 'in', right: [] }), /at least one/],
    [where({ operator: 'is', right: [1] }), /for NULL only/],
    [where({ right: [{ kind: 'number', value: '1,000' }] }), /is no number/],
    [where({ right: [{ kind: 'numbr', value: '1' }] }), /kind of an operand/, 'number'],
    [where({ right: [{ kind: 'text' }] }), /value of a text operand is missing/],
    [where({ right: 1, link: 'xor' }), /link "xor"/, 'or'],
    [where({ left: '', right: 1 }), /left is missing/],
    [{ action: 'add_limit', count: -1 }, /whole number/],
    [{ action: 'add_limit' }, /count is missing/],
    [{ action: 'add_select', items: [] }, /expressions is empty/],
    [{ action: 'add_merge', operator: 'intersect all' }, /not known/, 'intersect'],
    [{ action: 'qa', id: 'q 1', question: 'x', use: 'rows' }, /must be a word/],
    [{ action: 'qa', id: 'q1', question: 'x' }, /use is missing/],
    [{ action: 'add_from', relation: 'a', joins: [{ kind: 'natural', relation: 'b' }] }, /kind of a join/],
    [{ name: 'add_limit', arguments: '{"count": ' }, /must be a JSON object/],
  ])('%j', (raw, message, nearest) => {
    const { actions, problems } = parseActions([{ action: 'add_merge', operator: 'union' }, raw]);
    expect(actions).toHaveLength(1);
    expect(problems).toMatchObject([{ action: 1, message: expect.stringMatching(message) }]);
    expect(problems[0]?.nearestNames[0]).toBe(nearest);
  });

  it('an id is used once', () => {
    const qa = { action: 'qa', id: 'q1', question: 'x', use: 'value' };
    expect(parseActions([qa, qa]).problems).toMatchObject([{ action: 1, message: expect.stringContaining('twice') }]);
  });
});

it('whatever a model writes is read or reported, and can be assembled or is reported', () => {
  const fields = [
    'relation',
    'left',
    'operator',
    'right',
    'items',
    'keys',
    'expressions',
    'count',
    'joins',
    'on',
    'kind',
    'value',
    'id',
    'use',
    'question',
    'link',
    'group',
  ];
  const words = fc.constantFrom(
    '=',
    'in',
    'exists',
    'holds',
    '$q1',
    "a'",
    'a.b',
    ')',
    ';',
    '--',
    'a) OR (1',
    'text',
    'value',
    'q1',
    '1',
    '',
  );
  const leaf = fc.oneof(words, fc.anything({ maxDepth: 1 }));
  const inner = fc.dictionary(fc.constantFrom(...fields), fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })), {
    maxKeys: 4,
  });
  const raw = fc
    .tuple(
      fc.constantFrom(...CLAUSE_ACTIONS),
      fc.dictionary(fc.constantFrom(...fields), fc.oneof(leaf, inner, fc.array(inner, { maxLength: 2 })), {
        maxKeys: 6,
      }),
    )
    .map(([action, rest]) => ({ action, ...rest }));
  fc.assert(
    fc.property(fc.array(fc.oneof(raw, fc.anything({ maxDepth: 2 })), { maxLength: 6 }), (list) => {
      const { actions, problems } = parseActions(list);
      expect(actions.length + problems.length).toBe(list.length);
      for (const action of actions) expect(describeAction(action)).not.toContain('\n');
      const { sql, problems: left } = assembleSql(actions, { dialect: fixtureDialect, answers: { q1: 'SELECT 1' } });
      expect(left.length > 0).toBe(sql === '');
    }),
    { numRuns: 300 },
  );
});
