import { type Dialect, quoteString } from '@askema/core';
import type { Binary, BinaryOperator, Case, ColumnName, Expression, Literal } from './expression.ts';
import { writeCall } from './write-call.ts';
import { writeCast } from './write-cast.ts';
import { timeComparison, writeBetween, writeIn } from './write-comparison.ts';
import { shifted, writeExtract } from './write-time.ts';
import { calendarOf, type ExpressionWriter, fill, refusal, templateOf } from './writer.ts';

/** What an expression does not know of itself. */
export interface WriteExpressionOptions {
  /** A column as it stands in the statement, quoted. Anything but a name has to stand in brackets. */
  readonly column: (name: ColumnName) => string;
}

/**
 * An expression in a dialect. `/` gives a fraction, and NULL where the divisor is 0. FILTER becomes CASE, which every
 * engine has. Days and periods go by the calendar of the dialect.
 *
 * @throws AskemaError `METRIC_REFUSED` for what the engine lacks; `details.reason` is `function`, `calendar`, `unit`,
 * `type` or `interval`.
 */
export function writeExpression(expression: Expression, dialect: Dialect, options: WriteExpressionOptions): string {
  const writer: ExpressionWriter = {
    dialect,
    column: options.column,
    write: (part) => written(part, writer),
    operand: (part) => (ATOMS.has(part.kind) ? written(part, writer) : `(${written(part, writer)})`),
  };
  return writer.write(expression);
}

/** What needs no brackets beside an operator. */
export const ATOMS: ReadonlySet<Expression['kind']> = new Set([
  'literal',
  'column',
  'star',
  'call',
  'cast',
  'case',
  'extract',
]);

/** How tight operators bind, as far as engines agree. Equal ones stand without brackets on the left if they add up. */
const BINDING: Readonly<Record<BinaryOperator, number>> = {
  OR: 1,
  AND: 2,
  '=': 3,
  '<>': 3,
  '<': 3,
  '<=': 3,
  '>': 3,
  '>=': 3,
  LIKE: 3,
  'NOT LIKE': 3,
  ILIKE: 3,
  'NOT ILIKE': 3,
  // SQLite binds it tighter than `*`, PostgreSQL looser than `+`: see bracketsAround.
  '||': 4,
  '+': 4,
  '-': 4,
  '*': 5,
  '/': 5,
  '%': 5,
};
const COMPARISON = 3;

function written(expression: Expression, writer: ExpressionWriter): string {
  const { operand } = writer;
  switch (expression.kind) {
    case 'literal':
      return writeLiteral(expression, writer.dialect);
    case 'column':
      return writer.column(expression);
    case 'star':
      return '*';
    case 'call':
      return writeCall(expression, writer);
    case 'unary':
      return `${expression.operator}${expression.operator === 'NOT' ? ' ' : ''}${operand(expression.operand)}`;
    case 'binary':
      return writeBinary(expression, writer);
    case 'in':
      return writeIn(expression, writer);
    case 'between':
      return writeBetween(expression, writer);
    case 'test':
      return `${operand(expression.operand)} IS ${expression.isNegated ? 'NOT ' : ''}${expression.is.toUpperCase()}`;
    case 'case':
      return writeCase(expression, writer);
    case 'cast':
      return writeCast(expression, writer);
    case 'extract':
      return writeExtract(expression, writer);
    case 'interval':
      throw refusal('interval', 'An INTERVAL alone is no value.', 'Add it to a date, or take it from one.');
  }
}

function writeLiteral({ type, value }: Literal, dialect: Dialect): string {
  switch (type) {
    case 'null':
      return 'NULL';
    case 'number':
      return value;
    case 'string':
      return quoteString(value, dialect);
    case 'boolean':
      if (dialect.forms?.truthValues === 'numbers') return value === 'true' ? '1' : '0';
      return value.toUpperCase();
    case 'date':
      return fill(calendarOf(dialect).literal, { text: quoteString(value, dialect) });
    case 'timestamp': {
      const text = quoteString(value.replace('T', ' '), dialect);
      return dialect.foreignSyntax?.['typed literal'] === undefined ? `TIMESTAMP ${text}` : text;
    }
  }
}

function writeCase({ operand, branches, otherwise }: Case, { write }: ExpressionWriter): string {
  const parts = ['CASE'];
  if (operand !== undefined) parts.push(write(operand));
  for (const { when, result } of branches) parts.push(`WHEN ${write(when)} THEN ${write(result)}`);
  if (otherwise !== undefined) parts.push(`ELSE ${write(otherwise)}`);
  return `${parts.join(' ')} END`;
}

function writeBinary(expression: Binary, writer: ExpressionWriter): string {
  const { operator, left, right } = expression;
  const { dialect, operand, write } = writer;
  if (operator === '/') return writeDivision(left, right, writer);
  if (operator === '%')
    return fill(templateOf('MOD', 'MOD({0}, {1})', dialect), { 0: write(left), 1: divisor(right, writer) });
  if (operator === '+' || operator === '-') {
    if (right.kind === 'interval') return shifted(left, right, operator, writer);
    if (left.kind === 'interval' && operator === '+') return shifted(right, left, operator, writer);
  }
  if (operator === '||') {
    const own = dialect.functions?.written?.['||'];
    if (own) return fill(own, { 0: operand(left), 1: operand(right) });
  }
  if ((operator === 'ILIKE' || operator === 'NOT ILIKE') && dialect.foreignSyntax?.ilike !== undefined)
    return `LOWER(${write(left)}) ${operator.replace('ILIKE', 'LIKE')} LOWER(${write(right)})`;
  const ofTime = BINDING[operator] === COMPARISON ? timeComparison(expression, writer) : undefined;
  return ofTime ?? `${side(left, expression, writer)} ${operator} ${side(right, expression, writer)}`;
}

/** Engines that cut the division of integers get a fraction; engines that keep few digits write it in their own way. */
function writeDivision(left: Expression, right: Expression, writer: ExpressionWriter): string {
  const standard = writer.dialect.integerDivision === 'exact' ? '{0} / {1}' : '1.0 * {0} / {1}';
  const template = templateOf('/', standard, writer.dialect);
  return fill(template, { 0: writer.operand(left), 1: divisor(right, writer) });
}

/** NULL in the place of 0, which engines refuse. */
function divisor(expression: Expression, { operand, write }: ExpressionWriter): string {
  const isNumber = expression.kind === 'literal' && expression.type === 'number' && !isZero(expression);
  const isGuarded = expression.kind === 'call' && expression.name === 'NULLIF' && isZero(expression.arguments[1]);
  return isNumber || isGuarded ? operand(expression) : `NULLIF(${write(expression)}, 0)`;
}

function isZero(expression: Expression | undefined): boolean {
  return expression?.kind === 'literal' && expression.type === 'number' && Number(expression.value) === 0;
}

/** One side of an operator, in brackets where it would be read in another way without. */
function side(part: Expression, parent: Binary, writer: ExpressionWriter): string {
  return bracketsAround(part, parent) ? `(${writer.write(part)})` : writer.write(part);
}

function bracketsAround(part: Expression, parent: Binary): boolean {
  if (ATOMS.has(part.kind)) return false;
  const binding = BINDING[parent.operator];
  // NOT, IN, BETWEEN and IS are conditions.
  if (part.kind !== 'binary')
    return part.kind === 'unary' && part.operator !== 'NOT' ? part === parent.right : binding >= COMPARISON;
  const own = BINDING[part.operator];
  if ((part.operator === '||') !== (parent.operator === '||') && own >= BINDING['||'] && binding >= BINDING['||'])
    return true;
  return own < binding || (own === binding && (part === parent.right || own === COMPARISON));
}
