import type { Dialect } from '../adapter/dialect.ts';
import { quoteString } from '../adapter/quote-name.ts';
import type { AddLimit, AddMerge, ConditionOperand } from './clause-action.ts';

/*
 * Where dialects write the same clause in different ways. Sources: https://sqlite.org/lang_select.html (operands of compound SELECTs take no
 * brackets) and datatype3.html#boolean_datatype; https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#set_operators
 * (ALL or DISTINCT must be written).
 */

/** Truth values are the numbers 1 and 0. */
const NUMERIC_TRUTH: ReadonlySet<string> = new Set(['sqlite']);
/** An operand of UNION may not stand in brackets. */
const BARE_OPERANDS: ReadonlySet<string> = new Set(['sqlite']);
/** UNION alone is a syntax error. */
const SAYS_DISTINCT: ReadonlySet<string> = new Set(['bigquery']);

export function writeLimit({ count, offset }: Pick<AddLimit, 'count' | 'offset'>): string {
  return offset ? `LIMIT ${count} OFFSET ${offset}` : `LIMIT ${count}`;
}

export function writeSetOperator(operator: AddMerge['operator'], dialect: Dialect): string {
  const isDistinct = operator !== 'union all' && SAYS_DISTINCT.has(dialect.name);
  return `${operator.toUpperCase()}${isDistinct ? ' DISTINCT' : ''}`;
}

/** What stands around an operand of a set operation that has an order or a limit of its own. */
export function operandBrackets(dialect: Dialect): readonly [open: string, close: string] {
  return BARE_OPERANDS.has(dialect.name) ? ['SELECT * FROM (', ')'] : ['(', ')'];
}

/**
 * A value as a literal; numbers are validated by the caller.
 *
 * @throws AskemaError `INPUT_INVALID` for a text with a NUL character.
 */
export function writeLiteral(value: Exclude<ConditionOperand, { kind: 'expression' }>, dialect: Dialect): string {
  if (value.kind === 'text') return quoteString(value.value, dialect);
  if (value.kind === 'number') return value.value;
  if (NUMERIC_TRUTH.has(dialect.name)) return value.value ? '1' : '0';
  return value.value ? 'TRUE' : 'FALSE';
}
