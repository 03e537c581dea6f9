import type { AddHaving, AddWhere, ClauseAction, ConditionOperand } from './clause-action.ts';

/** One line for prompts and feedback: `add_where(T1.country = 'France')`. It is for reading, not for parsing. */
export function describeAction(action: ClauseAction): string {
  return `${action.action}(${oneLine(argumentsOf(action))})`;
}

function argumentsOf(action: ClauseAction): string {
  switch (action.action) {
    case 'add_from':
      return [
        named(action.relation, action.alias),
        ...action.joins.map(({ kind, relation, alias, on, condition }) => {
          const conditions = [
            ...on.map(({ left, right }) => `${left} = ${right}`),
            ...(condition === undefined ? [] : [condition]),
          ];
          return `${kind} join ${named(relation, alias)}${conditions.length === 0 ? '' : ` on ${conditions.join(' and ')}`}`;
        }),
      ].join(', ');
    case 'add_where':
    case 'add_having':
      return condition(action);
    case 'add_group_by':
      return action.expressions.join(', ');
    case 'add_order_by':
      return action.keys
        .map(
          ({ expression, direction, nulls }) =>
            `${expression} ${direction}${nulls === undefined ? '' : ` nulls ${nulls}`}`,
        )
        .join(', ');
    case 'add_limit':
      return action.offset ? `${action.count} offset ${action.offset}` : String(action.count);
    case 'add_select':
      return `${action.distinct ? 'distinct ' : ''}${action.items.map(({ expression, alias }) => named(expression, alias)).join(', ')}`;
    case 'add_merge':
      return action.operator;
    case 'qa':
      return `$${action.id}, ${action.use}: ${action.question}`;
  }
}

function condition({ left, operator, right, link, group }: AddWhere | AddHaving): string {
  const operands = right.map(operand);
  const test =
    operator === 'holds'
      ? left
      : operator === 'exists' || operator === 'not exists'
        ? `${operator} ${left}`
        : operator === 'between'
          ? `${left} between ${operands.join(' and ')}`
          : operator === 'in' || operator === 'not in'
            ? `${left} ${operator} (${operands.join(', ')})`
            : `${left} ${operator} ${operands.join(', ')}`.trimEnd();
  return `${link === undefined ? '' : `${link} `}${test}${group === undefined ? '' : `; group ${group}`}`;
}

function operand(value: ConditionOperand): string {
  if (value.kind === 'expression') return value.sql;
  return value.kind === 'text' ? `'${value.value.replaceAll("'", "''")}'` : String(value.value);
}

function named(name: string, alias: string | undefined): string {
  return alias === undefined ? name : `${name} as ${alias}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
