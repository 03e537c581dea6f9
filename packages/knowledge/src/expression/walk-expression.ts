import type { ColumnName, Expression } from './expression.ts';

/** The parts of an expression, in the order in which they stand. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'column':
    case 'star':
      return [];
    case 'call':
      return [
        ...expression.arguments,
        ...(expression.withinGroup === undefined ? [] : [expression.withinGroup.expression]),
        ...(expression.filter === undefined ? [] : [expression.filter]),
      ];
    case 'binary':
      return [expression.left, expression.right];
    case 'in':
      return [expression.operand, ...expression.list];
    case 'between':
      return [expression.operand, expression.low, expression.high];
    case 'case':
      return [
        ...(expression.operand === undefined ? [] : [expression.operand]),
        ...expression.branches.flatMap(({ when, result }) => [when, result]),
        ...(expression.otherwise === undefined ? [] : [expression.otherwise]),
      ];
    case 'interval':
      return [expression.count];
    default:
      return [expression.operand];
  }
}

/** Calls `visit` with the expression and everything in it, from the outside in; not below what it answers `false` for. */
export function walkExpression(expression: Expression, visit: (part: Expression) => unknown): void {
  if (visit(expression) === false) return;
  for (const part of partsOf(expression)) walkExpression(part, visit);
}

/** The same expression with other parts; parts of parts stay. */
export function mapParts(expression: Expression, change: (part: Expression) => Expression): Expression {
  switch (expression.kind) {
    case 'literal':
    case 'column':
    case 'star':
    case 'interval':
      return expression;
    case 'call': {
      const { filter, withinGroup } = expression;
      return {
        ...expression,
        arguments: expression.arguments.map(change),
        ...(filter !== undefined && { filter: change(filter) }),
        ...(withinGroup !== undefined && {
          withinGroup: { ...withinGroup, expression: change(withinGroup.expression) },
        }),
      };
    }
    case 'binary':
      return { ...expression, left: change(expression.left), right: change(expression.right) };
    case 'in':
      return { ...expression, operand: change(expression.operand), list: expression.list.map(change) };
    case 'between':
      return {
        ...expression,
        operand: change(expression.operand),
        low: change(expression.low),
        high: change(expression.high),
      };
    case 'case': {
      const { operand, otherwise } = expression;
      return {
        ...expression,
        ...(operand !== undefined && { operand: change(operand) }),
        branches: expression.branches.map(({ when, result }) => ({ when: change(when), result: change(result) })),
        ...(otherwise !== undefined && { otherwise: change(otherwise) }),
      };
    }
    default:
      return { ...expression, operand: change(expression.operand) };
  }
}

/** The same expression with something else in the place of each column. */
export function mapColumns(expression: Expression, change: (column: ColumnName) => Expression): Expression {
  if (expression.kind === 'column') return change(expression);
  return mapParts(expression, (part) => mapColumns(part, change));
}

/** The columns that an expression names, as often as it names them. */
export function columnsIn(expression: Expression): ColumnName[] {
  const columns: ColumnName[] = [];
  walkExpression(expression, (part) => {
    if (part.kind === 'column') columns.push(part);
  });
  return columns;
}

/** All of the conditions at once; undefined without any. Spans are those of the first. */
export function conjunction(conditions: readonly Expression[]): Expression | undefined {
  const [first, ...others] = conditions;
  return others.reduce<Expression | undefined>(
    (left, right) => left && { kind: 'binary', operator: 'AND', left, right, span: left.span },
    first,
  );
}

/** The conditions that have to hold together for a condition to hold. */
export function conjunctsOf(condition: Expression): readonly Expression[] {
  if (condition.kind !== 'binary' || condition.operator !== 'AND') return [condition];
  return [...conjunctsOf(condition.left), ...conjunctsOf(condition.right)];
}
