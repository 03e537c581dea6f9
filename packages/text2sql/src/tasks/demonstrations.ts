import type { ClauseActionInput } from '@askema/core';

/** A question over an invented database, with the actions that answer it, as a model writes them. */
export interface Demonstration {
  readonly question: string;
  readonly actions: readonly ClauseActionInput[];
}

/** The invented database: it is in no benchmark, so that no demonstration answers a question of one. */
export const DEMONSTRATION_SCHEMA = [
  'apiary (apiary_id, title, district)',
  'hive (hive_id, apiary_id → apiary, queen_breed, colour)',
  'harvest (harvest_id, hive_id → hive, gathered_on, kilograms)',
].join('\n');

type Condition = Omit<Extract<ClauseActionInput, { action: 'add_where' }>, 'action'>;
type Operand = Condition['right'][number];

function condition(
  left: string,
  operator: Condition['operator'],
  right: Operand,
  link: Condition['link'] = 'none',
  group = 0,
): Condition {
  return { left, operator, right: [right], link, group };
}

const text = (value: string): Operand => ({ kind: 'text', value });

function join(relation: string, alias: string, left: string, right: string) {
  return { kind: 'inner' as const, relation, alias, on: [{ left, right }], condition: '' };
}

function select(expression: string, distinct = false): ClauseActionInput {
  return { action: 'add_select', distinct, items: [{ expression, alias: '' }] };
}

/** Static demonstrations (Tool-SQL shows a few, the same for all questions). */
export const DEMONSTRATIONS: readonly Demonstration[] = [
  {
    question: 'In which apiaries of Oakshire does a hive with a Buckfast or a Carniolan queen stand?',
    actions: [
      {
        action: 'add_from',
        relation: 'hive',
        alias: 'h',
        joins: [join('apiary', 'a', 'h.apiary_id', 'a.apiary_id')],
      },
      { action: 'add_where', ...condition('a.district', '=', text('Oakshire')) },
      { action: 'add_where', ...condition('h.queen_breed', '=', text('Buckfast'), 'and', 1) },
      { action: 'add_where', ...condition('h.queen_breed', '=', text('Carniolan'), 'or', 1) },
      select('a.title', true),
    ],
  },
  {
    question: 'Which hives gave more than an average harvest in one go, and which are painted green?',
    actions: [
      { action: 'qa', id: 'average', question: 'What is the average weight of a harvest in kilograms?', use: 'value' },
      { action: 'add_from', relation: 'harvest', alias: '', joins: [] },
      { action: 'add_where', ...condition('kilograms', '>', { kind: 'expression', value: '$average' }) },
      select('hive_id'),
      { action: 'add_merge', operator: 'union' },
      { action: 'add_from', relation: 'hive', alias: '', joins: [] },
      { action: 'add_where', ...condition('colour', '=', text('green')) },
      select('hive_id'),
    ],
  },
  {
    question: 'Which three queen breeds with at least five hives gave the most honey?',
    actions: [
      { action: 'add_from', relation: 'hive', alias: 'h', joins: [join('harvest', 'y', 'h.hive_id', 'y.hive_id')] },
      { action: 'add_group_by', expressions: ['h.queen_breed'] },
      { action: 'add_having', ...condition('COUNT(DISTINCT h.hive_id)', '>=', { kind: 'number', value: '5' }) },
      { action: 'add_order_by', keys: [{ expression: 'SUM(y.kilograms)', direction: 'desc', nulls: 'none' }] },
      { action: 'add_limit', count: 3, offset: 0 },
      select('h.queen_breed'),
    ],
  },
];
