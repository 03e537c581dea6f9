import { DECLINING_RULES } from '../../../prompts/prompt-sections.ts';
import type { ClauseActionInput } from '../clauses/action-schemas.ts';
import type { ConditionOperator } from '../clauses/clause-action.ts';

/** How a model gives its actions: as calls of tools, or as a list in structured output. */
export type ActionForm = 'tools' | 'structured';

const SEQUENCE: Readonly<Record<ActionForm, string>> = {
  tools:
    'You answer by calling tools, one call for each clause of the statement. Make all calls of the sequence in one turn, in their order: a call only notes its clause, you are shown no results. When the question cannot be answered, call `decline` alone.',
  structured:
    'You answer with a list of actions, one for each clause of the statement, in their order. Leave the list empty when the question cannot be answered, and say so in `outcome`; `not_understood` holds the words of the question that match nothing in the database, and is usually empty.',
};

const ACTION_RULES: readonly string[] = [
  'The SQL is assembled from the actions exactly as they stand: nothing is added, and what no action says is not in the statement.',
  'Give the actions of a query in this order: `qa`, `add_from`, `add_where`, `add_group_by`, `add_having`, `add_order_by`, `add_limit`, `add_select`; after `add_merge` the next query begins.',
  '`add_from` begins a query: its first relation and all its joins, each as "hive AS h" where several relations stand in it. `on` holds what a join demands, as "h.apiary_id = a.apiary_id"; nothing for a cross join. Each query has one `add_from` and one `add_select`.',
  `\`add_where\` and \`add_having\` hold one condition each. \`left\` is a column or an expression; for \`exists\` it is \`$id\`, which then must have a row ("left": "$late", "operator": "exists", "right": []), and with \`holds\` it is a whole condition. \`right\` holds one operand, two for \`between\`, any number for \`in\`, none for \`is null\`, \`exists\` and \`holds\`: a value (text, number, boolean) as it is stored, without quotes, or an expression. \`link\` says how a condition is connected with the one before it in the same clause, \`none\` for the first; neighbours with the same \`group\` above 0 stand in brackets together.`,
  'Text values in conditions are written as the question says them, or as the schema or the list of values shows them: they are looked up in the database afterwards, and where another spelling is stored, you are shown it. So compare a whole value plainly with `=`, without functions around the column.',
  'Expressions are SQL of this database: CASE, window functions, arithmetic, functions. Those of `add_select` may end in "AS name", and the first may begin with "DISTINCT"; those of `add_order_by` may end in "DESC" or "DESC NULLS LAST". A sub-query stands in brackets where it is one value of a single relation without text conditions, or where it names a column of this query; any other is a sub-question.',
  '`qa` asks a sub-question, which is answered on its own and sees neither this question nor these actions: put everything into its words. `$id` in an expression, or as the name of a relation, stands for its answer. `value` is a single value, `list` one column for IN, `rows` a relation; name its columns in the sub-question. Each costs a call: ask one only for what needs a statement of its own.',
  '`add_merge` is UNION, INTERSECT or EXCEPT. An order or a limit behind the last query belongs to the whole.',
];

/** What every task that gives actions says, in front of its job. */
export function actionSections(form: ActionForm): readonly string[] {
  return [
    SEQUENCE[form],
    ['About the actions:', ...ACTION_RULES].join('\n- '),
    demonstrationText(form),
    DECLINING_RULES,
  ];
}

function demonstrationText(form: ActionForm): string {
  const shown = DEMONSTRATIONS.map(({ question, actions }) =>
    [`Question: ${question}`, ...actions.map((action) => actionLine(action, form))].join('\n'),
  );
  return [`Examples, over another database:\n${DEMONSTRATION_SCHEMA}`, ...shown].join('\n\n');
}

/** An action as a model writes it in this form. */
export function actionLine(action: ClauseActionInput, form: ActionForm): string {
  const { action: name, ...rest } = action;
  return form === 'tools' ? `${name} ${JSON.stringify(rest)}` : JSON.stringify(action);
}

/** A question over an invented database, with the actions that answer it, as a model writes them. */
export interface Demonstration {
  readonly question: string;
  readonly actions: readonly ClauseActionInput[];
}

/** The invented database: it is in no benchmark, so that no demonstration answers a question of one. */
const DEMONSTRATION_SCHEMA = [
  'apiary (apiary_id, title, district)',
  'hive (hive_id, apiary_id → apiary, queen_breed, colour)',
  'harvest (harvest_id, hive_id → hive, gathered_on, kilograms)',
].join('\n');

type Condition = Omit<Extract<ClauseActionInput, { readonly link: string }>, 'action'>;
type Operand = Condition['right'][number];

function condition(
  left: string,
  operator: ConditionOperator,
  right: Operand,
  link: Condition['link'] = 'none',
  group = 0,
): Condition {
  return { left, operator, right: [right], link, group };
}

const text = (value: string): Operand => ({ kind: 'text', value });

function join(relation: string, on: string) {
  return { kind: 'inner' as const, relation, on: [on] };
}

function select(expression: string, distinct = false): ClauseActionInput {
  return { action: 'add_select', expressions: [distinct ? `DISTINCT ${expression}` : expression] };
}

/** Static demonstrations (Tool-SQL shows a few, the same for all questions). */
export const DEMONSTRATIONS: readonly Demonstration[] = [
  {
    question: 'In which apiaries of Oakshire does a hive with a Buckfast or a Carniolan queen stand?',
    actions: [
      {
        action: 'add_from',
        relation: 'hive AS h',
        joins: [join('apiary AS a', 'h.apiary_id = a.apiary_id')],
      },
      { action: 'add_where', ...condition('a.district', '=', text('Oakshire')) },
      { action: 'add_where', ...condition('h.queen_breed', '=', text('Buckfast'), 'and', 1) },
      { action: 'add_where', ...condition('h.queen_breed', '=', text('Carniolan'), 'or', 1) },
      select('a.title', true),
    ],
  },
  {
    question: 'Which painted hives gave more than 50 kilograms in all, and which had a harvest above the average?',
    actions: [
      {
        action: 'qa',
        id: 'totals',
        question: 'How many kilograms did each hive give in all? Columns: hive_id, total.',
        use: 'rows',
      },
      { action: 'add_from', relation: '$totals AS t', joins: [join('hive AS h', 't.hive_id = h.hive_id')] },
      { action: 'add_where', ...condition('t.total', '>', { kind: 'number', value: '50' }) },
      { action: 'add_where', left: 'h.colour', operator: 'is not null', right: [], link: 'and', group: 0 },
      select('h.hive_id'),
      { action: 'add_merge', operator: 'union' },
      { action: 'add_from', relation: 'harvest', joins: [] },
      {
        action: 'add_where',
        ...condition('kilograms', '>', { kind: 'expression', value: '(SELECT AVG(kilograms) FROM harvest)' }),
      },
      select('hive_id'),
    ],
  },
  {
    question: 'Which three queen breeds with at least five hives gave the most honey?',
    actions: [
      { action: 'add_from', relation: 'hive AS h', joins: [join('harvest AS y', 'h.hive_id = y.hive_id')] },
      { action: 'add_group_by', expressions: ['h.queen_breed'] },
      { action: 'add_having', ...condition('COUNT(DISTINCT h.hive_id)', '>=', { kind: 'number', value: '5' }) },
      { action: 'add_order_by', expressions: ['SUM(y.kilograms) DESC'] },
      { action: 'add_limit', count: 3, offset: 0 },
      select('h.queen_breed'),
    ],
  },
];
