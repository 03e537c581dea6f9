import { sqliteDialect } from '@askema/dialects';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BinaryOperator, Expression } from '../expression.ts';
import { span } from '../random-expression.ts';
import { writeExpression } from '../write-expression.ts';

type Value = number | null;
type Truth = boolean | null;

/** The rows that expressions are computed from. */
const ROWS: readonly Readonly<Record<string, Value>>[] = [
  { a: 3, b: -2, c: 0 },
  { a: 0, b: 7, c: null },
  { a: null, b: 1.5, c: 2 },
];

const node = (parts: object): Expression => ({ ...parts, span }) as unknown as Expression;
const { number, condition } = fc.letrec<{ number: Expression; condition: Expression }>((tie) => {
  const binary = (operators: readonly BinaryOperator[], side: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
    fc
      .tuple(fc.constantFrom(...operators), side, side)
      .map(([operator, left, right]) => node({ kind: 'binary', operator, left, right }));
  const value = tie('number');
  const truth = tie('condition');
  return {
    number: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('a', 'b', 'c').map((name) => node({ kind: 'column', qualifier: [], name, isQuoted: false })),
      fc.constantFrom('1', '2', '0.5').map((text) => node({ kind: 'literal', type: 'number', value: text })),
      binary(['+', '-', '*', '/'], value),
      value.map((operand) => node({ kind: 'unary', operator: '-', operand })),
      fc
        .tuple(truth, value, value)
        .map(([when, result, otherwise]) => node({ kind: 'case', branches: [{ when, result }], otherwise })),
    ),
    condition: fc.oneof(
      { depthSize: 'small' },
      binary(['=', '<>', '<', '<=', '>', '>='], value),
      binary(['AND', 'OR', '='], truth),
      truth.map((operand) => node({ kind: 'unary', operator: 'NOT', operand })),
      fc
        .tuple(value, value, value, fc.boolean())
        .map(([operand, low, high, isNegated]) => node({ kind: 'between', operand, low, high, isNegated })),
      fc
        .tuple(value, value, value, fc.boolean())
        .map(([operand, one, two, isNegated]) => node({ kind: 'in', operand, list: [one, two], isNegated })),
      fc
        .tuple(fc.oneof(value, truth), fc.boolean())
        .map(([operand, isNegated]) => node({ kind: 'test', operand, is: 'null', isNegated })),
      fc
        .tuple(truth, fc.constantFrom('true', 'false'), fc.boolean())
        .map(([operand, is, isNegated]) => node({ kind: 'test', operand, is, isNegated })),
    ),
  };
});

let database: Database.Database;
beforeAll(() => {
  database = new Database(':memory:');
  database.exec('CREATE TABLE r (id INTEGER, a, b, c)');
  const insert = database.prepare('INSERT INTO r VALUES (?, ?, ?, ?)');
  for (const [id, { a, b, c }] of ROWS.entries()) insert.run(id, a, b, c);
});
afterAll(() => {
  database.close();
});

test.each([
  ['numbers', number],
  ['conditions', condition],
] as const)('%s have the value of their tree, whatever brackets they are written with', (_, arbitrary) => {
  fc.assert(
    fc.property(arbitrary, (expression) => {
      const sql = writeExpression(expression, sqliteDialect, { column: ({ name }) => name });
      const found = database.prepare(`SELECT ${sql} FROM r ORDER BY id`).pluck().all() as Value[];
      expect(found.map(rounded)).toEqual(ROWS.map((row) => rounded(computed(expression, row))));
    }),
    { numRuns: 500 },
  );
});

function rounded(value: Value | boolean): Value {
  return value === null ? null : Number(Number(value).toPrecision(9)) + 0;
}

/** By the rules of standard SQL, from the tree alone. */
function computed(expression: Expression, row: Readonly<Record<string, Value>>): Value | boolean {
  const of = (part: Expression): Value => {
    const value = computed(part, row);
    return typeof value === 'boolean' ? Number(value) : value;
  };
  switch (expression.kind) {
    case 'column':
      return row[expression.name] ?? null;
    case 'literal':
      return Number(expression.value);
    case 'unary': {
      const value = of(expression.operand);
      if (value === null) return null;
      return expression.operator === 'NOT' ? value === 0 : -value;
    }
    case 'binary':
      return ofBinary(expression.operator, of(expression.left), of(expression.right));
    case 'between': {
      const [value, low, high] = [expression.operand, expression.low, expression.high].map(of);
      const inside = and(
        compared(value, low, (x, y) => x >= y),
        compared(value, high, (x, y) => x <= y),
      );
      return expression.isNegated ? negated(inside) : inside;
    }
    case 'in': {
      const found = expression.list
        .map((part) => compared(of(expression.operand), of(part), (x, y) => x === y))
        .reduce<Truth>((one, other) => negated(and(negated(one), negated(other))), false);
      return expression.isNegated ? negated(found) : found;
    }
    case 'test': {
      const value = of(expression.operand);
      const holds =
        expression.is === 'null' ? value === null : value !== null && (value !== 0) === (expression.is === 'true');
      return holds !== expression.isNegated;
    }
    case 'case': {
      const branch = expression.branches.find(({ when }) => of(when));
      const result = branch?.result ?? expression.otherwise;
      return result === undefined ? null : of(result);
    }
    default:
      throw new Error(`There is no ${expression.kind} here.`);
  }
}

function ofBinary(operator: BinaryOperator, left: Value, right: Value): Value | boolean {
  const truths = [left, right].map((value) => (value === null ? null : value !== 0));
  if (operator === 'AND') return and(truths[0] ?? null, truths[1] ?? null);
  if (operator === 'OR') return negated(and(negated(truths[0] ?? null), negated(truths[1] ?? null)));
  if (left === null || right === null) return null;
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? null : left / right;
    case '=':
      return left === right;
    case '<>':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}

function compared(left: Value | undefined, right: Value | undefined, holds: (x: number, y: number) => boolean): Truth {
  return left == null || right == null ? null : holds(left, right);
}

function and(one: Truth, other: Truth): Truth {
  if (one === false || other === false) return false;
  return one === null || other === null ? null : true;
}

function negated(truth: Truth): Truth {
  return truth === null ? null : !truth;
}
