import { postgresDialect } from '@askema/dialects';
import { expect, it } from 'vitest';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import { catalogOf, dataset, field, knowledge, metric } from '../bind/test-support/model-parts.ts';
import { checkAlgebra } from './check-algebra.ts';

const catalog = catalogOf(postgresDialect, { orders: ['id integer', 'pieces bigint', 'amount numeric(10,2)'] });

function codes(expression: string): readonly string[] {
  const model = knowledge({
    datasets: [dataset('orders', [field('amount'), field('pieces')])],
    metrics: [metric('m', expression)],
  });
  const found: string[] = [];
  checkAlgebra({
    bound: bindKnowledge(model, { catalog, dialect: postgresDialect }),
    report: (_, { code }) => found.push(code),
  });
  return found;
}

it.each([
  ['SUM(orders.pieces) / COUNT(orders.id)', true],
  ['SUM(orders.pieces * 2) / SUM(orders.id)', true],
  ['COUNT(orders.amount) / COUNT(orders.id)', true],
  ['SUM(orders.amount) / COUNT(orders.id)', false],
  ['SUM(orders.pieces) / SUM(orders.amount)', false],
  ['SUM(orders.pieces) * 1.0 / COUNT(orders.id)', false],
  ['CAST(SUM(orders.pieces) AS NUMERIC) / COUNT(orders.id)', false],
  ['AVG(orders.pieces) / COUNT(orders.id)', false],
  ['SUM(orders.pieces) - COUNT(orders.id)', false],
])('%s may be cut: %s', (expression, isCut) => {
  expect(codes(expression)).toEqual(isCut ? ['integer-division'] : []);
});

it.each([
  ['SUM(orders.amount) - SUM( amount )', true],
  ['(SUM(orders.amount) - SUM(orders.AMOUNT)) * 100', true],
  ['SUM(orders.amount) - SUM(orders.pieces)', false],
  ['SUM(orders.amount - 1) - SUM(orders.amount - 2)', false],
  ['SUM(orders.amount) - SUM(DISTINCT orders.amount)', false],
])('%s has a part that is constant: %s', (expression, isConstant) => {
  expect(codes(expression)).toEqual(isConstant ? ['constant-part'] : []);
});
