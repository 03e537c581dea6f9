import type { Dialect } from '@askema/core';
import type { BinaryOperator, Call, ColumnName, Expression, Literal } from '../expression/expression.ts';
import { mapParts } from '../expression/walk-expression.ts';
import { type NameOf, textOfExpression } from './expression-text.ts';

const NOWHERE = { start: 0, end: 0 };
const FLIPPED: Readonly<Partial<Record<BinaryOperator, BinaryOperator>>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};
const OPPOSITE: Readonly<Partial<Record<BinaryOperator, BinaryOperator>>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  LIKE: 'NOT LIKE',
  'NOT LIKE': 'LIKE',
};

export interface NormalForms {
  readonly nameOf: NameOf;
  /** Whether the column tells the rows apart that are counted. */
  readonly isKey: (column: ColumnName) => boolean;
  /** LIKE minds case, as `=` does: a pattern that stands for nothing but itself is a value. */
  readonly likeIsExact: boolean;
}

/** Where ILIKE stands beside LIKE, the latter minds case. */
export function isLikeExact({ foreignSyntax }: Dialect): boolean {
  return foreignSyntax?.ilike === undefined;
}

/**
 * The same for expressions that mean the same: `SUM(a * b)` and `SUM(b * a)`, `COUNT(*)` and `COUNT(1)` and `COUNT` of
 * the key, `SUM(CASE WHEN c THEN x ELSE 0 END)` and `SUM(x) FILTER (WHERE c)`.
 */
export function normalForm(expression: Expression, forms: NormalForms): Expression {
  const inner = mapParts(expression, (part) => normalForm(part, forms));
  switch (inner.kind) {
    case 'unary':
      if (inner.operator === '+') return inner.operand;
      return inner.operator === 'NOT' ? negated(inner.operand) : inner;
    case 'binary':
      return normalBinary(inner, forms);
    case 'in': {
      const list = sorted(inner.list, forms);
      const [only, second] = list;
      if (only === undefined || second !== undefined) return { ...inner, list };
      return binary(inner.isNegated ? '<>' : '=', inner.operand, only);
    }
    case 'test':
      if (inner.is === 'null') return inner;
      return isTruth(inner.operand) ? truth(inner.operand, (inner.is === 'true') !== inner.isNegated) : inner;
    case 'call':
      return normalCall(inner, forms);
    default:
      return inner;
  }
}

/** A condition as the conditions that all have to hold, each in normal form. */
export function normalConditions(condition: Expression, forms: NormalForms): readonly Expression[] {
  return conjunctsOf(normalForm(condition, forms)).map((one) => (isTruth(one) ? truth(one, true) : one));
}

function conjunctsOf(condition: Expression): readonly Expression[] {
  if (condition.kind !== 'binary' || condition.operator !== 'AND') return [condition];
  return [...conjunctsOf(condition.left), ...conjunctsOf(condition.right)];
}

/** What an aggregate is dressed with, and does not change what it means: rounding, a type, 0 for nothing. */
export function undressed(expression: Expression): Expression {
  switch (expression.kind) {
    case 'cast':
      return undressed(expression.operand);
    case 'call': {
      const [first, second, third] = expression.arguments;
      const isDress =
        expression.name === 'ROUND' ||
        (/^(COALESCE|IFNULL|NVL)$/.test(expression.name) && third === undefined && isNumber(second, 0)) ||
        expression.name === 'ZEROIFNULL' ||
        (expression.name === 'NULLIF' && isNumber(second, 0));
      return isDress && first !== undefined ? undressed(first) : expression;
    }
    case 'binary': {
      const { operator, left, right } = expression;
      if (operator === 'AND' || operator === 'OR') return expression;
      return { ...expression, left: undressed(left), right: undressed(right) };
    }
    default:
      return expression;
  }
}

function normalBinary(expression: Extract<Expression, { kind: 'binary' }>, forms: NormalForms): Expression {
  const { operator, left, right } = expression;
  if (operator === '*') return product(expression, forms);
  if (operator === '+' || operator === '-') return sum(expression, forms);
  if (operator === '/' && isNumber(right, 1)) return left;
  if (operator === 'AND' || operator === 'OR') {
    const all = sorted(operandsOf(expression, operator), forms);
    return all.reduce((before, after) => binary(operator, before, after));
  }
  if (forms.likeIsExact && isPlainPattern(right)) {
    if (operator === 'LIKE') return normalBinary({ ...expression, operator: '=' }, forms);
    if (operator === 'NOT LIKE') return normalBinary({ ...expression, operator: '<>' }, forms);
  }
  const flipped = FLIPPED[operator];
  const [near, far, own] =
    left.kind === 'literal' && right.kind !== 'literal' && flipped ? [right, left, flipped] : [left, right, operator];
  const says = (own === '=' || own === '<>') && isTruth(near) ? truthOf(far) : undefined;
  return says === undefined ? binary(own, near, far) : truth(near, says === (own === '='));
}

function isPlainPattern(pattern: Expression): boolean {
  return pattern.kind === 'literal' && pattern.type === 'string' && !/[%_\\]/.test(pattern.value);
}

function operandsOf(expression: Expression, operator: BinaryOperator): readonly Expression[] {
  if (expression.kind !== 'binary' || expression.operator !== operator) return [expression];
  return [...operandsOf(expression.left, operator), ...operandsOf(expression.right, operator)];
}

function product(expression: Expression, forms: NormalForms): Expression {
  const factors = sorted(
    operandsOf(expression, '*').filter((factor) => !isNumber(factor, 1)),
    forms,
  );
  if (factors.length === 0) return number('1');
  return factors.reduce((before, after) => binary('*', before, after));
}

/** What is added before what is taken away, each in the order of its text. */
function sum(expression: Expression, forms: NormalForms): Expression {
  const added: Expression[] = [];
  const taken: Expression[] = [];
  const read = (part: Expression, isTaken: boolean): void => {
    if (part.kind === 'binary' && (part.operator === '+' || part.operator === '-')) {
      read(part.left, isTaken);
      read(part.right, isTaken !== (part.operator === '-'));
    } else if (part.kind === 'unary' && part.operator === '-') read(part.operand, !isTaken);
    else (isTaken ? taken : added).push(part);
  };
  read(expression, false);
  const [first, ...others] = sorted(added, forms);
  if (first === undefined) return expression;
  const all = others.reduce((before, after) => binary('+', before, after), first);
  return sorted(taken, forms).reduce((before, after) => binary('-', before, after), all);
}

function normalCall(call: Call, forms: NormalForms): Expression {
  if (!call.isAggregate) return call;
  if (call.name === 'COUNT_IF') {
    const [condition] = call.arguments;
    return counted({ ...call, name: 'COUNT', arguments: [STAR], filter: both(call.filter, condition) }, forms);
  }
  const [argument] = call.arguments;
  const limited = argument?.kind === 'case' ? limitedCall(call, argument) : call;
  const [first, ...others] = limited.arguments;
  if (limited.name === 'SUM' && first !== undefined && !limited.isDistinct) {
    if (isNumber(first, 1)) return counted({ ...limited, name: 'COUNT', arguments: [STAR] }, forms);
    return { ...limited, arguments: [undressed(first), ...others] };
  }
  return limited.name === 'COUNT' ? counted(limited, forms) : limited;
}

/** `CASE WHEN c THEN x END` inside of an aggregate: rows without `c` do not count. */
function limitedCall(call: Call, { operand, branches, otherwise }: Extract<Expression, { kind: 'case' }>): Call {
  const [only, second] = branches;
  const isNothing = otherwise === undefined || (otherwise.kind === 'literal' && otherwise.type === 'null');
  const isZero = call.name === 'SUM' && isNumber(otherwise, 0);
  if (operand !== undefined || only === undefined || second !== undefined || !(isNothing || isZero)) return call;
  return { ...call, arguments: [only.result], filter: both(call.filter, only.when) };
}

function counted(call: Call, forms: NormalForms): Call {
  const [argument] = call.arguments;
  if (argument === undefined) return call;
  const isEach = argument.kind === 'literal' && argument.type !== 'null' && !call.isDistinct;
  const isKey = argument.kind === 'column' && forms.isKey(argument);
  return isEach || isKey ? { ...call, arguments: [STAR], isDistinct: false } : call;
}

function negated(condition: Expression): Expression {
  switch (condition.kind) {
    case 'binary': {
      const opposite = OPPOSITE[condition.operator];
      return opposite === undefined ? not(condition) : { ...condition, operator: opposite };
    }
    case 'in':
    case 'between':
    case 'test':
      return { ...condition, isNegated: !condition.isNegated };
    default:
      return isTruth(condition) ? truth(condition, false) : not(condition);
  }
}

function not(operand: Expression): Expression {
  return { kind: 'unary', operator: 'NOT', operand, span: NOWHERE };
}

function isTruth(expression: Expression): expression is ColumnName {
  return expression.kind === 'column' && expression.bound?.type === 'BOOL';
}

function truth(column: Expression, value: boolean): Expression {
  return binary('=', column, { kind: 'literal', type: 'boolean', value: String(value), span: NOWHERE });
}

function truthOf(expression: Expression): boolean | undefined {
  if (expression.kind !== 'literal') return undefined;
  if (/^(true|t|1)$/i.test(expression.value)) return true;
  return /^(false|f|0)$/i.test(expression.value) ? false : undefined;
}

function both(a: Expression | undefined, b: Expression | undefined): Expression | undefined {
  return a === undefined || b === undefined ? (a ?? b) : binary('AND', a, b);
}

function sorted(list: readonly Expression[], { nameOf }: NormalForms): readonly Expression[] {
  return list
    .map((part) => [textOfExpression(part, nameOf), part] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, part]) => part);
}

function isNumber(expression: Expression | undefined, value: number): boolean {
  return expression?.kind === 'literal' && expression.type === 'number' && Number(expression.value) === value;
}

const STAR: Expression = { kind: 'star', span: NOWHERE };

function number(value: string): Literal {
  return { kind: 'literal', type: 'number', value, span: NOWHERE };
}

function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right, span: NOWHERE };
}
