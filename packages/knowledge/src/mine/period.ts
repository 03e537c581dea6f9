import type { Expression } from '../expression/expression.ts';
import { columnsIn, walkExpression } from '../expression/walk-expression.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** Whether a condition limits one date, or is relative to today. Two dates held against each other are no period. */
export function isPeriod(condition: Expression): boolean {
  const { kind } = condition;
  if (kind !== 'between' && kind !== 'in' && !(kind === 'binary' && COMPARISONS.has(condition.operator))) return false;
  const columns = columnsIn(condition);
  const [first] = columns;
  if (first === undefined || columns.some(({ name }) => name !== first.name)) return false;
  return first.bound?.type === 'DATETIME' || isOfToday(condition);
}

function isOfToday(condition: Expression): boolean {
  let found = false;
  walkExpression(condition, (part) => {
    found ||= part.kind === 'call' && part.name === 'CURRENT_DATE';
  });
  return found;
}
