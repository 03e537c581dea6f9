import { expect, it } from 'vitest';
import * as z from 'zod';
import { CLAUSE_TOOLS, type ClauseActionsOutput, clauseActionsOutput } from './action-schemas.ts';
import { CLAUSE_ACTIONS } from './clause-action.ts';
import { parseActions } from './parse-actions.ts';

type Node = Readonly<Record<string, unknown>>;

function* objectsIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const entry of value) yield* objectsIn(entry);
  else if (typeof value === 'object' && value !== null) {
    yield value as Node;
    for (const entry of Object.values(value)) yield* objectsIn(entry);
  }
}

it.each<[string, unknown]>([
  ['the whole output', z.toJSONSchema(clauseActionsOutput)],
  ...CLAUSE_TOOLS.map((tool) => [tool.name, tool.parameters] satisfies [string, unknown]),
])('%s: every field is required and nothing is bounded, as strict modes want it', (_, schema) => {
  for (const node of objectsIn(schema)) {
    if (node.type === 'object') {
      expect(node.required).toEqual(Object.keys(node.properties as Node));
      expect(node.additionalProperties).toBe(false);
    }
    for (const keyword of [
      'default',
      'minimum',
      'maximum',
      'minLength',
      'maxLength',
      'minItems',
      'pattern',
      'not',
      'allOf',
    ])
      if (typeof node.type === 'string') expect(node).not.toHaveProperty(keyword);
    expect(node.type).not.toBe('null');
    if (Array.isArray(node.enum)) expect(node.enum).not.toContain('');
  }
});

it('is short: it is sent with every request', () => {
  expect(JSON.stringify(z.toJSONSchema(clauseActionsOutput)).length).toBeLessThan(2_500);
});

it('there is a tool for each action, in the order of the list', () => {
  expect(CLAUSE_TOOLS.map(({ name }) => name)).toEqual(CLAUSE_ACTIONS);
});

it('what the output allows is read without a problem', () => {
  const output: ClauseActionsOutput = {
    actions: [
      {
        action: 'add_from',
        relation: 'singer',
        joins: [{ kind: 'left', relation: 'concert AS T2', on: ['a = b', 'LENGTH(a) > 2'] }],
      },
      {
        action: 'add_where',
        left: 'a',
        operator: '=',
        right: [{ kind: 'number', value: '1' }],
        link: 'none',
        group: 0,
      },
      { action: 'add_where', left: 'b', operator: 'is null', right: [], link: 'and', group: 2 },
      { action: 'add_group_by', expressions: ['a'] },
      {
        action: 'add_having',
        left: 'c',
        operator: 'between',
        right: [
          { kind: 'boolean', value: 'true' },
          { kind: 'expression', value: 'x' },
        ],
        link: 'none',
        group: 0,
      },
      { action: 'add_order_by', expressions: ['a DESC NULLS LAST', 'b'] },
      { action: 'add_limit', count: 3, offset: 0 },
      { action: 'add_select', expressions: ['DISTINCT CAST(a AS TEXT)', 'COUNT(*) AS n'] },
      { action: 'add_merge', operator: 'except' },
      { action: 'qa', id: 'q1', question: 'How many?', use: 'value' },
    ],
  };
  expect(clauseActionsOutput.parse(output)).toEqual(output);
  expect(parseActions(output.actions)).toEqual({
    problems: [],
    actions: [
      {
        action: 'add_from',
        relation: 'singer',
        joins: [
          {
            kind: 'left',
            relation: 'concert',
            alias: 'T2',
            on: [{ left: 'a', right: 'b' }],
            condition: 'LENGTH(a) > 2',
          },
        ],
      },
      { action: 'add_where', left: 'a', operator: '=', right: [{ kind: 'number', value: '1' }] },
      { action: 'add_where', left: 'b', operator: 'is null', right: [], link: 'and', group: 2 },
      { action: 'add_group_by', expressions: ['a'] },
      {
        action: 'add_having',
        left: 'c',
        operator: 'between',
        right: [
          { kind: 'boolean', value: true },
          { kind: 'expression', sql: 'x' },
        ],
      },
      {
        action: 'add_order_by',
        keys: [
          { expression: 'a', direction: 'desc', nulls: 'last' },
          { expression: 'b', direction: 'asc' },
        ],
      },
      { action: 'add_limit', count: 3 },
      {
        action: 'add_select',
        distinct: true,
        items: [{ expression: 'CAST(a AS TEXT)' }, { expression: 'COUNT(*)', alias: 'n' }],
      },
      { action: 'add_merge', operator: 'except' },
      { action: 'qa', id: 'q1', question: 'How many?', use: 'value' },
    ],
  });
});
