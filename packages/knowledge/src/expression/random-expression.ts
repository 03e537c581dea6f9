import * as fc from 'fast-check';
import type { BinaryOperator, Expression } from './expression.ts';

export const span = { start: 0, end: 0 };

const name = fc.constantFrom('a', 'b', 'Total', 'date');
const column: fc.Arbitrary<Expression> = fc.record({
  kind: fc.constant('column' as const),
  qualifier: fc.constantFrom([], ['orders']),
  name,
  isQuoted: fc.constant(false),
  span: fc.constant(span),
});
const quoted: fc.Arbitrary<Expression> = fc
  .string({ minLength: 1, maxLength: 6 })
  .filter((text) => !text.includes('\0'))
  .map((text) => ({ kind: 'column', qualifier: [], name: text, isQuoted: true, span }));
const literal = fc.oneof(
  fc.nat(1_000).map(String).map(literalOf('number')),
  fc.constantFrom('0.5', '1e3', '12.25').map(literalOf('number')),
  fc
    .string({ unit: fc.constantFrom('a', "'", '\\', '"', '{', '}', '-', ';', '%', '\n', 'é'), maxLength: 6 })
    .map(literalOf('string')),
  fc.constantFrom('true', 'false').map(literalOf('boolean')),
  fc.constant('NULL').map(literalOf('null')),
);

function literalOf(type: 'number' | 'string' | 'boolean' | 'null') {
  return (value: string): Expression => ({ kind: 'literal', type, value, span });
}

const OPERATORS: readonly BinaryOperator[] = [
  ...(['+', '-', '*', '||', '=', '<>', '<', '<=', '>', '>='] as const),
  ...(['AND', 'OR', 'LIKE', 'NOT LIKE', 'ILIKE', 'NOT ILIKE'] as const),
];

/**
 * For tests: expressions that are written as they were read. Left out is what is written as something else: division by
 * anything but a number, `%`, FILTER, dates, functions with other names.
 */
export const anyExpression: fc.Arbitrary<Expression> = fc.letrec<{ any: Expression }>((tie) => {
  const any = tie('any');
  const list = fc.array(any, { minLength: 1, maxLength: 3 });
  const isNegated = fc.boolean();
  const node = <T extends object>(
    parts: { [K in keyof T]: fc.Arbitrary<T[K]> },
  ): fc.Arbitrary<T & { span: typeof span }> =>
    fc.record({ ...parts, span: fc.constant(span) }) as fc.Arbitrary<T & { span: typeof span }>;
  const kind = <K extends string>(value: K): fc.Arbitrary<K> => fc.constant(value);
  return {
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      column,
      quoted,
      literal,
      node({ kind: kind('binary'), operator: fc.constantFrom(...OPERATORS), left: any, right: any }),
      node({ kind: kind('binary'), operator: kind('/'), left: any, right: fc.constant(literalOf('number')('2')) }),
      node({ kind: kind('unary'), operator: fc.constantFrom('-', '+', 'NOT'), operand: any }),
      node({ kind: kind('in'), operand: any, list, isNegated }),
      node({ kind: kind('between'), operand: any, low: any, high: any, isNegated }),
      node({ kind: kind('test'), operand: any, is: fc.constantFrom('null', 'true', 'false'), isNegated }),
      node({
        kind: kind('case'),
        operand: fc.option(any, { nil: undefined }),
        branches: fc.array(fc.record({ when: any, result: any }), { minLength: 1, maxLength: 2 }),
        otherwise: fc.option(any, { nil: undefined }),
      }),
      node({
        kind: kind('call'),
        name: fc.constantFrom('COALESCE', 'NULLIF', 'REPLACE'),
        isAggregate: fc.constant(false),
        isDistinct: fc.constant(false),
        arguments: fc.tuple(any, any, any),
        filter: fc.constant(undefined),
        withinGroup: fc.constant(undefined),
      }).map((call) => ({ ...call, arguments: call.name === 'NULLIF' ? call.arguments.slice(0, 2) : call.arguments })),
    ) as fc.Arbitrary<Expression>,
  };
}).any;
