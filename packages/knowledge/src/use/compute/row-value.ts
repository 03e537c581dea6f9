import type { Binary, BinaryOperator, Call, ColumnName, Expression, Literal } from '../../expression/expression.ts';
import { walkExpression } from '../../expression/walk-expression.ts';
import { hashOf, type Value } from './made-up-cells.ts';

/** What a column holds in a row. */
export type CellOf = (column: ColumnName) => Value;

/** A value that only has to be the same where the same is written: of functions that are not computed here. */
const SYMBOL = '\u0000';

/** Written otherwise, they are the same to the value of a metric: rounding and casts do not change what it means. */
const FUNCTIONS: Readonly<Record<string, (...values: Value[]) => Value>> = {
  COALESCE: (...values) => values.find((value) => value !== null) ?? null,
  NVL: (...values) => values.find((value) => value !== null) ?? null,
  IFNULL: (...values) => values.find((value) => value !== null) ?? null,
  ZEROIFNULL: (value = null) => value ?? 0,
  NULLIF: (value = null, none = null) => (isEqual(value, none) ? null : value),
  NULLIFZERO: (value = null) => (isEqual(value, 0) ? null : value),
  IFF: (when = null, then = null, otherwise = null) => (isTrue(when) ? then : otherwise),
  IIF: (when = null, then = null, otherwise = null) => (isTrue(when) ? then : otherwise),
  IF: (when = null, then = null, otherwise = null) => (isTrue(when) ? then : otherwise),
  ROUND: (value = null) => value,
  LOWER: (value = null) => (typeof value === 'string' ? value.toLowerCase() : value),
  UPPER: (value = null) => (typeof value === 'string' ? value.toUpperCase() : value),
  TRIM: (value = null) => (typeof value === 'string' ? value.trim() : value),
};

/** Whether all of an expression is computed: where a part is not, two ways to write it look different. */
export function isComputed(expression: Expression): boolean {
  let computed = true;
  walkExpression(expression, (part) => {
    if (part.kind === 'interval' || part.kind === 'extract') computed = false;
    if (part.kind === 'call' && !part.isAggregate && FUNCTIONS[part.name] === undefined) computed = false;
    if (part.kind === 'binary' && part.operator.endsWith('LIKE')) computed = false;
  });
  return computed;
}

/** The value of an expression without aggregates for one row. */
export function rowValue(expression: Expression, cell: CellOf): Value {
  const of = (part: Expression): Value => rowValue(part, cell);
  switch (expression.kind) {
    case 'literal':
      return literalValue(expression);
    case 'column':
      return cell(expression);
    case 'star':
      return 1;
    case 'unary': {
      const value = of(expression.operand);
      if (expression.operator === 'NOT') return value === null ? null : Number(!isTrue(value));
      return expression.operator === '-' ? arithmetic('-', 0, value) : value;
    }
    case 'binary':
      return binaryValue(expression, of);
    case 'in': {
      const value = of(expression.operand);
      if (value === null) return null;
      const list = expression.list.map(of);
      if ([value, ...list].some(isSymbol)) return symbolTruth(['IN', value, ...list]);
      return Number(list.some((one) => isEqual(value, one)) !== expression.isNegated);
    }
    case 'between': {
      const [value, low, high] = [expression.operand, expression.low, expression.high].map(of);
      const within = both(compared('>=', value ?? null, low ?? null), compared('<=', value ?? null, high ?? null));
      return within === null ? null : Number(isTrue(within) !== expression.isNegated);
    }
    case 'test': {
      const value = of(expression.operand);
      const holds =
        expression.is === 'null' ? value === null : value !== null && isTrue(value) === (expression.is === 'true');
      return Number(holds !== expression.isNegated);
    }
    case 'case': {
      const operand = expression.operand && of(expression.operand);
      const branch = expression.branches.find(({ when }) =>
        operand === undefined ? isTrue(of(when)) : isEqual(operand, of(when)),
      );
      if (branch !== undefined) return of(branch.result);
      return expression.otherwise === undefined ? null : of(expression.otherwise);
    }
    case 'cast':
      return of(expression.operand);
    case 'interval':
      return symbol([expression.unit, of(expression.count)]);
    case 'extract':
      return symbol([expression.unit, of(expression.operand)]);
    case 'call': {
      const values = expression.arguments.map(of);
      const compute = FUNCTIONS[expression.name];
      return compute === undefined ? symbol([expression.name, ...values]) : compute(...values);
    }
  }
}

/** The value of an aggregate over rows. */
export function aggregateValue(call: Call, rows: readonly CellOf[]): Value {
  const { filter, arguments: list, name, isDistinct, withinGroup } = call;
  const kept = filter === undefined ? rows : rows.filter((row) => isTrue(rowValue(filter, row)));
  const argument = withinGroup?.expression ?? list[0];
  let values = kept.flatMap((row) => (argument === undefined ? 1 : (rowValue(argument, row) ?? [])));
  if (isDistinct || name === 'APPROX_COUNT_DISTINCT') values = [...new Set(values)];
  if (name === 'COUNT' || name === 'APPROX_COUNT_DISTINCT') return values.length;
  if (name === 'COUNT_IF') return values.filter(isTrue).length;
  if (values.length === 0) return null;
  if (values.some(isSymbol) || !/^(SUM|AVG|MIN|MAX)$/.test(name)) return symbol([name, ...values.sort(order)]);
  if (name === 'MIN') return values.reduce((least, value) => (order(value, least) < 0 ? value : least));
  if (name === 'MAX') return values.reduce((most, value) => (order(value, most) > 0 ? value : most));
  const sum = values.reduce<number>((total, value) => total + Number(value), 0);
  return name === 'SUM' ? sum : sum / values.length;
}

export function isTrue(value: Value): boolean {
  return value !== null && value !== 0 && value !== '' && value !== '0';
}

/** Midnight is the day: `TIMESTAMP '2024-01-01 00:00:00'` and `'2024-01-01'` are one. */
export function literalValue({ type, value }: Literal): Value {
  if (type === 'null') return null;
  if (type === 'number') return Number(value);
  if (type === 'boolean') return Number(value.toUpperCase() === 'TRUE');
  return value.replace(/^(\d{4}-\d\d-\d\d)[ T]00:00(:00(\.0+)?)?Z?$/, '$1');
}

function binaryValue({ operator, left, right }: Binary, of: (part: Expression) => Value): Value {
  const [a, b] = [of(left), of(right)];
  if (operator === 'AND') return both(a, b);
  if (operator === 'OR') return isTrue(a) || isTrue(b) ? 1 : a === null || b === null ? null : 0;
  if (/^[-+*/%]$/.test(operator)) return arithmetic(operator, a, b);
  if (a === null || b === null) return null;
  if (operator === '||') return [a, b].some(isSymbol) ? symbol([operator, a, b]) : `${a}${b}`;
  if (operator.endsWith('LIKE')) {
    const isLike = symbolTruth([operator.replace('NOT ', ''), a, b]);
    return operator.startsWith('NOT') ? 1 - isLike : isLike;
  }
  return compared(operator, a, b);
}

function arithmetic(operator: BinaryOperator, a: Value, b: Value): Value {
  if (a === null || b === null) return null;
  if (isSymbol(a) || isSymbol(b)) return symbol([operator, a, b]);
  const [x, y] = [Number(a), Number(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return symbol([operator, a, b]);
  if (operator === '+') return x + y;
  if (operator === '-') return x - y;
  if (operator === '*') return x * y;
  if (y === 0) return null;
  return operator === '/' ? x / y : x % y;
}

function compared(operator: BinaryOperator, a: Value, b: Value): Value {
  if (a === null || b === null) return null;
  if (isSymbol(a) || isSymbol(b)) return symbolTruth([operator, a, b]);
  const way = order(a, b);
  switch (operator) {
    case '=':
      return Number(way === 0);
    case '<>':
      return Number(way !== 0);
    case '<':
      return Number(way < 0);
    case '<=':
      return Number(way <= 0);
    case '>':
      return Number(way > 0);
    default:
      return Number(way >= 0);
  }
}

function both(a: Value, b: Value): Value {
  if (a !== null && b !== null) return Number(isTrue(a) && isTrue(b));
  return (a !== null && !isTrue(a)) || (b !== null && !isTrue(b)) ? 0 : null;
}

function isEqual(a: Value, b: Value): boolean {
  return a !== null && b !== null && order(a, b) === 0;
}

/** Numbers by size, also those in quotes beside a number; else texts. */
function order(a: Value, b: Value): number {
  const [x, y] = [Number(a), Number(b)];
  const areNumbers = (typeof a === 'number' || typeof b === 'number') && !Number.isNaN(x) && !Number.isNaN(y);
  if (areNumbers) return x - y;
  return String(a) < String(b) ? -1 : Number(String(a) !== String(b));
}

function isSymbol(value: Value): boolean {
  return typeof value === 'string' && value.startsWith(SYMBOL);
}

function symbol(parts: readonly Value[]): string {
  return `${SYMBOL}${hashOf(JSON.stringify(parts))}`;
}

function symbolTruth(parts: readonly Value[]): number {
  return Number(hashOf(JSON.stringify(parts)) % 10 < 6);
}
