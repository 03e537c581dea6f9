import type { ColumnName, Expression } from '../expression/expression.ts';
import { quotedText } from '../expression/quoted-text.ts';
import { ATOMS } from '../expression/write-expression.ts';

/** How a column is named: by what it was bound to. */
export type NameOf = (column: ColumnName) => string;

const BINDING: Readonly<Record<string, number>> = { OR: 1, AND: 2, '||': 4, '+': 5, '-': 5, '*': 6, '/': 6, '%': 6 };
const COMPARISON = 3;
/** As ANSI definitions and most engines call them. */
const ANSI_PARTS: Readonly<Record<string, string>> = { DAYOFWEEK: 'DOW', DAYOFYEAR: 'DOY' };

/** An expression as the text of a definition: ANSI SQL. The same text is the same expression once it is in normal form. */
export function textOfExpression(expression: Expression, nameOf: NameOf): string {
  const text = (part: Expression): string => textOfExpression(part, nameOf);
  const atom = (part: Expression): string => (ATOMS.has(part.kind) ? text(part) : `(${text(part)})`);
  const not = (isNegated: boolean): string => (isNegated ? 'NOT ' : '');
  switch (expression.kind) {
    case 'literal':
      if (expression.type === 'string') return quotedText(expression.value);
      if (expression.type === 'date' || expression.type === 'timestamp')
        return `${expression.type.toUpperCase()} ${quotedText(expression.value)}`;
      return expression.value.toUpperCase();
    case 'column':
      return nameOf(expression);
    case 'star':
      return '*';
    case 'call': {
      const { name, isDistinct, arguments: list, filter, withinGroup } = expression;
      const order =
        withinGroup &&
        ` WITHIN GROUP (ORDER BY ${text(withinGroup.expression)}${withinGroup.isDescending ? ' DESC' : ''})`;
      const rows = filter === undefined ? '' : ` FILTER (WHERE ${text(filter)})`;
      return `${name}(${isDistinct ? 'DISTINCT ' : ''}${list.map(text).join(', ')})${order ?? ''}${rows}`;
    }
    case 'unary':
      return `${expression.operator}${expression.operator === 'NOT' ? ' ' : ''}${atom(expression.operand)}`;
    case 'binary': {
      const { operator, left, right } = expression;
      const own = BINDING[operator] ?? COMPARISON;
      const side = (part: Expression, isRight: boolean): string => {
        if (part.kind !== 'binary') return atom(part);
        const binding = BINDING[part.operator] ?? COMPARISON;
        return binding > own || (binding === own && !isRight && own !== COMPARISON) ? text(part) : `(${text(part)})`;
      };
      return `${side(left, false)} ${operator} ${side(right, true)}`;
    }
    case 'in':
      return `${atom(expression.operand)} ${not(expression.isNegated)}IN (${expression.list.map(text).join(', ')})`;
    case 'between':
      return `${atom(expression.operand)} ${not(expression.isNegated)}BETWEEN ${atom(expression.low)} AND ${atom(expression.high)}`;
    case 'test':
      return `${atom(expression.operand)} IS ${not(expression.isNegated)}${expression.is.toUpperCase()}`;
    case 'case': {
      const { operand, branches, otherwise } = expression;
      const whens = branches.map(({ when, result }) => ` WHEN ${text(when)} THEN ${text(result)}`).join('');
      const rest = otherwise === undefined ? '' : ` ELSE ${text(otherwise)}`;
      return `CASE${operand === undefined ? '' : ` ${text(operand)}`}${whens}${rest} END`;
    }
    case 'cast':
      return `CAST(${text(expression.operand)} AS ${expression.type})`;
    case 'interval':
      return `INTERVAL ${text(expression.count)} ${expression.unit}`;
    case 'extract':
      return `EXTRACT(${ANSI_PARTS[expression.unit] ?? expression.unit} FROM ${text(expression.operand)})`;
  }
}
