import type { Dialect } from '@askema/core';
import { quoteString } from '@askema/core';
import type { AddLimit, AddMerge, ConditionOperand } from './clause-action.ts';

/*
 * Where dialects write the same clause in different ways, by `Dialect.forms`.
 */

export function writeLimit(
  { count, offset }: Pick<AddLimit, 'count' | 'offset'>,
  { forms }: Pick<Dialect, 'forms'>,
): string {
  if (forms?.rowLimit === 'fetch')
    return offset ? `OFFSET ${offset} ROWS FETCH NEXT ${count} ROWS ONLY` : `FETCH FIRST ${count} ROWS ONLY`;
  return offset ? `LIMIT ${count} OFFSET ${offset}` : `LIMIT ${count}`;
}

export function writeSetOperator(operator: AddMerge['operator'], { forms }: Pick<Dialect, 'forms'>): string {
  const isDistinct = operator !== 'union all' && forms?.setDistinct === 'written';
  return `${operator.toUpperCase()}${isDistinct ? ' DISTINCT' : ''}`;
}

/** What stands around an operand of a set operation that has an order or a limit of its own. */
export function operandBrackets({ forms }: Pick<Dialect, 'forms'>): readonly [open: string, close: string] {
  return forms?.setOperand === 'sub-query' ? ['SELECT * FROM (', ')'] : ['(', ')'];
}

/**
 * A value as a literal; numbers are validated by the caller.
 *
 * @throws AskemaError `INPUT_INVALID` for a text with a NUL character.
 */
export function writeLiteral(value: Exclude<ConditionOperand, { kind: 'expression' }>, dialect: Dialect): string {
  if (value.kind === 'text') return quoteString(value.value, dialect);
  if (value.kind === 'number') return value.value;
  if (dialect.forms?.truthValues === 'numbers') return value.value ? '1' : '0';
  return value.value ? 'TRUE' : 'FALSE';
}
