import type { ClauseActionInput } from './action-schemas.ts';
import type { ClauseAction, ConditionOperand } from './clause-action.ts';

type OperandInput = Extract<ClauseActionInput, { readonly right: unknown }>['right'][number];

/** An action as a model is asked to write it: `parseActions` reads the same action from it. */
export function writeAction(action: ClauseAction): ClauseActionInput {
  switch (action.action) {
    case 'add_from':
      return {
        action: action.action,
        relation: named(action.relation, action.alias),
        joins: action.joins.map(({ kind, relation, alias, on, condition }) => ({
          kind,
          relation: named(relation, alias),
          on: [...on.map(({ left, right }) => `${left} = ${right}`), ...(condition === undefined ? [] : [condition])],
        })),
      };
    case 'add_where':
    case 'add_having': {
      const { left, operator, right, link = 'none', group = 0 } = action;
      return { action: action.action, left, operator, right: right.map(operandInput), link, group };
    }
    case 'add_group_by':
      return { action: action.action, expressions: [...action.expressions] };
    case 'add_order_by':
      return {
        action: action.action,
        expressions: action.keys.map(
          ({ expression, direction, nulls }) =>
            `${expression}${direction === 'desc' ? ' DESC' : ''}${nulls === undefined ? '' : ` NULLS ${nulls.toUpperCase()}`}`,
        ),
      };
    case 'add_limit':
      return { action: action.action, count: action.count, offset: action.offset ?? 0 };
    case 'add_select': {
      const [first = '', ...others] = action.items.map(({ expression, alias }) => named(expression, alias));
      return { action: action.action, expressions: [action.distinct ? `DISTINCT ${first}` : first, ...others] };
    }
    case 'add_merge':
      return { action: action.action, operator: action.operator };
    case 'qa':
      return { action: action.action, id: action.id, question: action.question, use: action.use };
  }
}

function operandInput(operand: ConditionOperand): OperandInput {
  return operand.kind === 'expression'
    ? { kind: operand.kind, value: operand.sql }
    : { kind: operand.kind, value: String(operand.value) };
}

function named(name: string, alias: string | undefined): string {
  return alias === undefined ? name : `${name} AS ${alias}`;
}
