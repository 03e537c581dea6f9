import { expect, it } from 'vitest';
import { clauseActionsOutput } from './action-schemas.ts';
import type { ClauseAction } from './clause-action.ts';
import { parseActions } from './parse-actions.ts';
import { writeAction } from './write-action.ts';

const ACTIONS: readonly ClauseAction[] = [
  { action: 'qa', id: 'q1', question: 'How many?', use: 'rows' },
  {
    action: 'add_from',
    relation: '$q1',
    alias: 't',
    joins: [
      { kind: 'left', relation: 'hive', alias: 'h', on: [{ left: 'h.id', right: 't.id' }], condition: 'h.colour > 2' },
      { kind: 'cross', relation: 'apiary', on: [] },
    ],
  },
  { action: 'add_where', left: 'a', operator: '=', right: [{ kind: 'text', value: "it's" }] },
  { action: 'add_where', left: 'b', operator: 'is not null', right: [], link: 'and', group: 1 },
  { action: 'add_where', left: '$q1', operator: 'exists', right: [], link: 'or', group: 1 },
  { action: 'add_group_by', expressions: ['a', 'b'] },
  {
    action: 'add_having',
    left: 'COUNT(*)',
    operator: 'between',
    right: [
      { kind: 'number', value: '2' },
      { kind: 'expression', sql: '$q1' },
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
  { action: 'add_select', distinct: true, items: [{ expression: 'a' }, { expression: 'COUNT(*)', alias: 'n' }] },
  { action: 'add_merge', operator: 'except' },
];

it('an action is written as it is asked for, and read as it was', () => {
  const actions = ACTIONS.map(writeAction);
  expect(clauseActionsOutput.parse({ actions })).toEqual({ actions });
  expect(parseActions(actions)).toEqual({ actions: ACTIONS, problems: [] });
});
