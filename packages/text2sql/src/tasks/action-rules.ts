import type { ClauseActionInput, Dialect } from '@askema/core';
import { DEMONSTRATION_SCHEMA, DEMONSTRATIONS } from './demonstrations.ts';
import { DECLINING_RULES, systemText } from './prompt-sections.ts';

/** How a model gives its actions: as calls of tools, or as a list in structured output. */
export type ActionForm = 'tools' | 'structured';

const SEQUENCE: Readonly<Record<ActionForm, string>> = {
  tools:
    'You answer by calling tools, one call for each clause of the statement. Make all calls of the sequence in one turn, in their order: a call only notes its clause, you are shown no results. When the question cannot be answered, call `decline` alone.',
  structured:
    'You answer with a list of actions, one for each clause of the statement, in their order. Leave the list empty when the question cannot be answered, and say so in `outcome`.',
};

const ACTION_RULES: readonly string[] = [
  'The SQL is assembled from the actions exactly as they stand: nothing is added, and what no action says is not in the statement.',
  '`add_from` begins a query: its first relation and all its joins, with aliases where several relations stand in it. Each query has one `add_from` and one `add_select`.',
  '`add_where` and `add_having` hold one condition each. The left side is a column or an expression, the right side a value, several values, or an expression. `link` says how a condition is connected with the one before it in the same clause; neighbours with the same `group` stand in brackets together. Where several conditions are connected by AND alone, say `and`.',
  'Text values in conditions are written as the question says them, or as the schema or the list of values shows them: they are looked up in the database afterwards, and where another spelling is stored, you are shown it. So compare a whole value plainly with `=`, without functions around the column.',
  'Expressions are SQL of this database: CASE, window functions, arithmetic, functions. Write no sub-query in one: ask it as a sub-question.',
  '`qa` asks a sub-question, which is answered on its own and sees neither this question nor these actions: put everything into its words. `$id` in an expression, or as the name of a relation, stands for its answer. `value` is a single value, `list` one column for IN, `rows` a relation; name its columns in the sub-question. Ask one only where one query cannot say it.',
  '`add_merge` ends one query and begins the next (UNION, INTERSECT, EXCEPT). An order or a limit behind the last query belongs to the whole.',
  'A thing that only groups or describes ("in each region") is shown by what the relation of the counted things itself holds for it, be it a code, unless the question asks for its name.',
];

/** What the system prompt of every task that gives actions says. The same for all questions about one database. */
export function actionSystemText(dialect: Dialect, job: string, form: ActionForm): string {
  return [
    systemText(dialect, false, job),
    SEQUENCE[form],
    ['About the actions:', ...ACTION_RULES].join('\n- '),
    demonstrationText(form),
    DECLINING_RULES,
  ].join('\n\n');
}

function demonstrationText(form: ActionForm): string {
  const shown = DEMONSTRATIONS.map(({ question, actions }) =>
    [`Question: ${question}`, ...actions.map((action) => actionLine(action, form))].join('\n'),
  );
  return [`Examples, over another database:\n${DEMONSTRATION_SCHEMA}`, ...shown].join('\n\n');
}

function actionLine(action: ClauseActionInput, form: ActionForm): string {
  const { action: name, ...rest } = action;
  return form === 'tools' ? `${name} ${JSON.stringify(rest)}` : JSON.stringify(action);
}
