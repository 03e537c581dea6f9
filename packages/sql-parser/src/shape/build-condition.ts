import type { ConditionShape, FilterShape, OperandShape } from '@askema/sql';
import {
  isWord,
  levelTokens,
  nextAtLevel,
  splitAtCommas,
  splitRange,
  type TokenRange,
  type TokenTable,
} from '../source/token-table.ts';
import type { Expression, TreeTest } from '../tree/tree.ts';
import { indexes, mustSpan, NotLocated } from './builder.ts';
import { type Scope, visitExpression, visitSubquery } from './visit-expression.ts';

/** A clause that filters; of a join, which one. */
interface ConditionScope extends Scope {
  readonly clause: FilterShape['clause'];
  readonly join: number | undefined;
}

/** Adds the filters of a condition to its block and returns how they are combined. */
export function buildCondition(scope: ConditionScope, expression: Expression, range: TokenRange): ConditionShape {
  const { builder } = scope;
  const { table } = builder;
  switch (expression.kind) {
    case 'brackets':
      return buildCondition(scope, expression.operand, withoutBrackets(table, range));
    case 'and':
    case 'or': {
      // `a AND b XOR c` is `(a AND b) XOR c`: one condition.
      if (expression.kind === 'and' && expression.operands.some(isXor)) return buildFilter(scope, expression, range);
      const parts = splitAtLogic(table, range, expression.kind === 'and' ? 'AND' : 'OR');
      // Some grammars let AND bind looser than OR; the text knows better.
      const isLoose = expression.kind === 'and' && splitAtLogic(table, range, 'OR').length > 1;
      if (isLoose || parts.length !== expression.operands.length)
        throw new NotLocated(`the operands of ${expression.kind.toUpperCase()}`);
      const operands = expression.operands.map((operand, index) =>
        buildCondition(scope, operand, parts[index] ?? range),
      );
      return { kind: expression.kind, operands, span: mustSpan(builder, range) };
    }
    case 'not': {
      if (!isWord(table, range.from, 'NOT') && table.tokens[range.from]?.upper !== '!') throw new NotLocated('NOT');
      const operand = buildCondition(scope, expression.operand, { from: range.from + 1, to: range.to });
      return { kind: 'not', operand, span: mustSpan(builder, range) };
    }
    default:
      return buildFilter(scope, expression, range);
  }
}

function buildFilter(scope: ConditionScope, expression: Expression, range: TokenRange): ConditionShape {
  const { builder, block, clause, join } = scope;
  const span = mustSpan(builder, range);
  const comparison = compare(scope, expression, range);
  const filter = block.filters.push({ clause, join, span, ...comparison }) - 1;
  return { kind: 'filter', filter, span };
}

function isXor(expression: Expression): boolean {
  return expression.kind === 'other' && expression.isXor === true;
}

function withoutBrackets(table: TokenTable, range: TokenRange): TokenRange {
  const isWhole = table.tokens[range.from]?.upper === '(' && table.partner[range.from] === range.to - 1;
  return isWhole ? { from: range.from + 1, to: range.to - 1 } : range;
}

/** Parts between ANDs (or ORs) of this level, without the AND of a BETWEEN. */
function splitAtLogic(table: TokenTable, range: TokenRange, word: 'AND' | 'OR'): readonly TokenRange[] {
  let betweens = 0;
  return splitRange(table, range, (index) => {
    if (isWord(table, index, 'BETWEEN')) betweens++;
    if (table.tokens[index]?.upper === '&&' && word === 'AND') return true;
    if (!isWord(table, index, word)) return false;
    if (word === 'AND' && betweens > 0) {
      betweens--;
      return false;
    }
    return true;
  });
}

type Comparison = Pick<FilterShape, 'operator' | 'negated' | 'left' | 'right'>;

function compare(scope: ConditionScope, expression: Expression, range: TokenRange): Comparison {
  if (expression.kind === 'test') return compareTest(scope, expression, range);
  if (expression.kind === 'exists') {
    const { builder } = scope;
    const block = visitSubquery(scope, expression.query, range, 'exists');
    const span = scope.block.subqueries.at(-1)?.span ?? mustSpan(builder, range);
    const left: OperandShape = { kind: 'subquery', span, columns: [], calls: [], literal: undefined, block };
    return { operator: 'exists', negated: expression.negated, left, right: [] };
  }
  return { operator: 'holds', negated: false, left: buildOperand(scope, expression, range), right: [] };
}

function compareTest(scope: ConditionScope, test: TreeTest, range: TokenRange): Comparison {
  const { table } = scope.builder;
  const at = findOperator(table, range, test);
  if (at === undefined) throw new NotLocated(`the operator of ${test.operator.toUpperCase()}`);
  const leftEnd = isWord(table, at - 1, 'NOT') ? at - 1 : at;
  const left = buildOperand(scope, test.left, { from: range.from, to: leftEnd });
  const parts = rightParts(scope, test, { from: at + 1, to: range.to });
  if (parts.length !== test.right.length) throw new NotLocated(`the operands of ${test.operator.toUpperCase()}`);
  const right = test.right.map((operand, index) => buildOperand(scope, operand, parts[index] ?? range));
  // NULL equals NULL there: IS NOT DISTINCT FROM.
  if (table.tokens[at]?.upper === '<=>') return { operator: 'is distinct from', negated: true, left, right };
  return { operator: test.operator, negated: test.negated, left, right };
}

/** Operators of one level hang to the left, so the last one is the outermost. The BETWEEN of a range is its first. */
function findOperator(table: TokenTable, range: TokenRange, test: TreeTest): number | undefined {
  let found: number | undefined;
  for (const index of levelTokens(table, range)) {
    const isOperator =
      test.symbols.includes(table.tokens[index]?.upper ?? '') && table.tokens[index - 1]?.upper !== '.';
    if (!isOperator || index === range.from) continue;
    if (test.operator === 'between') return index;
    found = index;
  }
  return found;
}

/** The texts of what stands to the right of the operator. */
function rightParts(scope: ConditionScope, test: TreeTest, range: TokenRange): readonly TokenRange[] {
  const { table } = scope.builder;
  switch (test.operator) {
    case 'is null':
    case 'is true':
    case 'is false':
    case 'is unknown':
      return [];
    case 'is distinct from': {
      const from = isWord(table, range.from, 'NOT') ? range.from + 1 : range.from;
      return [{ from: from + 2, to: range.to }];
    }
    case 'between': {
      const isKind = /^(SYMMETRIC|ASYMMETRIC)$/.test(table.tokens[range.from]?.upper ?? '');
      return splitRange(table, { from: range.from + (isKind ? 1 : 0), to: range.to }, (index) =>
        isWord(table, index, 'AND'),
      );
    }
    case 'in': {
      const isList = test.right.every((operand) => operand.kind !== 'query') && table.tokens[range.from]?.upper === '(';
      if (!isList || (test.right.length === 1 && table.partner[range.from] !== range.to - 1)) return [range];
      return splitAtCommas(table, { from: range.from + 1, to: nextAtLevel(table, range.from) - 1 });
    }
    case 'like':
    case 'ilike':
    case 'regexp': {
      const start = /^(ANY|ALL|SOME|TO)$/.test(table.tokens[range.from]?.upper ?? '') ? range.from + 1 : range.from;
      const escapeAt = [...levelTokens(table, range)].find((index) => isWord(table, index, 'ESCAPE'));
      return [{ from: start, to: escapeAt ?? range.to }];
    }
    default:
      return [range];
  }
}

function unwrap(expression: Expression): Expression {
  let inner = expression;
  while (inner.kind === 'brackets') inner = inner.operand;
  return inner;
}

function buildOperand(scope: ConditionScope, expression: Expression, range: TokenRange): OperandShape {
  const { builder, block } = scope;
  const firstColumn = block.columns.length;
  const firstCall = block.calls.length;
  const inner = unwrap(expression);
  const base = { span: mustSpan(builder, range), literal: undefined, block: undefined };
  if (inner.kind === 'query') {
    const id = visitSubquery(scope, inner.query, range, inner.role);
    return { ...base, kind: 'subquery', columns: [], calls: [], block: id };
  }
  if (inner.kind === 'literal') {
    const { type, value, dataType } = inner;
    return { ...base, kind: 'literal', columns: [], calls: [], literal: { type, value, dataType } };
  }
  visitExpression(scope, inner, range);
  const columns = indexes(firstColumn, block.columns.length);
  const calls = indexes(firstCall, block.calls.length);
  const kind = inner.kind === 'column' || inner.kind === 'call' ? inner.kind : 'expression';
  return { ...base, kind, columns, calls };
}
