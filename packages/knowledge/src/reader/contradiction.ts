import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { bindCondition } from '../compile/bind-names.ts';
import type { ColumnName, Expression } from '../expression/expression.ts';
import { columnsIn, conjunctsOf } from '../expression/walk-expression.ts';
import type { Condition, Draft } from './draft.ts';
import { metricTitle } from './meaning.ts';
import type { Choice } from './resolve.ts';

/**
 * That the rows asked for are none of those that count: "cancelled sales" where sales count without the cancelled ones.
 * A filter on the same column that cannot be followed is taken for one.
 */
export function contradictionProblem(
  { draft, metrics, measures, conditions }: Choice,
  bound: BoundKnowledge,
): string | undefined {
  const always = measures.flatMap(({ dataset, filters }) => {
    const { name, defaultFilter } = dataset.dataset;
    if (defaultFilter === undefined) return filters;
    const where = `The default filter of \`${name}\``;
    return [...filters, bindCondition(defaultFilter, { bound, home: name, where, columns: true })];
  });
  const conjuncts = always.flatMap(conjunctsOf);
  const clash = clashProblem(draft, conditions);
  if (clash !== undefined) return clash;
  for (const [at, condition] of conditions.entries()) {
    const slot = draft.conditions[at];
    if (condition.kind !== 'value') continue;
    const columns = columnsIn(condition.field.expression);
    const others = conjuncts.filter((one) =>
      columnsIn(one).some((column) => columns.some((own) => isSame(own, column))),
    );
    const values = condition.values.map(String);
    const isEmpty =
      slot?.isNot === true
        ? others.some((one) => isOnlyOf(one, values))
        : !others.every((one) => values.every((value) => admits(one, value)));
    if (isEmpty)
      return `${metrics.map(metricTitle).join(' and ')} may not count what "${slot?.said}" asks for: its rows are filtered by that already.`;
  }
  return undefined;
}

/** "in Berlin in Hamburg": no row is in both, and nobody asks for none. */
function clashProblem({ conditions: slots }: Draft, conditions: readonly Condition[]): string | undefined {
  for (const [at, one] of conditions.entries())
    for (const [next, other] of conditions.entries()) {
      if (next <= at || one.kind !== 'value' || other.kind !== 'value' || one.field !== other.field) continue;
      const [isNot, isOtherNot] = [slots[at]?.isNot === true, slots[next]?.isNot === true];
      if (isNot && isOtherNot) continue;
      const isShared = (value: string | number | boolean): boolean => other.values.includes(value);
      const isEmpty = isNot === isOtherNot ? !one.values.some(isShared) : one.values.some(isShared);
      if (isEmpty)
        return `No row is both "${slots[at]?.said}" and "${slots[next]?.said}" as asked; ask for them one by one.`;
    }
  return undefined;
}

/** Whether all that passes is among the values: `= 'food'` of `food`. */
function isOnlyOf(expression: Expression, values: readonly string[]): boolean {
  const among = (part: Expression): boolean =>
    part.kind === 'literal' && values.some((value) => value.toLowerCase() === part.value.toLowerCase());
  if (expression.kind === 'in') return !expression.isNegated && expression.list.every(among);
  if (expression.kind !== 'binary' || expression.operator !== '=') return false;
  return among(expression.left) || among(expression.right);
}

function isSame(one: ColumnName, other: ColumnName): boolean {
  return one.bound?.dataset === other.bound?.dataset && one.bound?.column === other.bound?.column;
}

/** Whether rows with a value surely pass: comparisons of the column with literals are followed, and no more. */
function admits(expression: Expression, value: string): boolean {
  if (expression.kind === 'in') {
    const texts = expression.list.map((item) => (item.kind === 'literal' ? item.value : undefined));
    if (expression.operand.kind !== 'column' || texts.includes(undefined)) return false;
    return texts.includes(value) !== expression.isNegated;
  }
  if (expression.kind === 'test') return expression.is === 'null' && expression.isNegated;
  if (expression.kind !== 'binary') return false;
  const { operator, left, right } = expression;
  const [column, literal] = left.kind === 'column' ? [left, right] : [right, left];
  if (column.kind !== 'column' || literal.kind !== 'literal') return false;
  if (operator === '=') return literal.value.toLowerCase() === value.toLowerCase();
  return operator === '<>' && literal.value.toLowerCase() !== value.toLowerCase();
}
