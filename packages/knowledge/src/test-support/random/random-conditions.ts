import fc from 'fast-check';
import { type Cell, type PlainColumn, type PlainCondition, pathTo } from '../plain-star.ts';
import { cellOf, type Tables } from './random-tables.ts';

/** Conditions on what every fact of the list reaches. */
export function conditionFor(star: Tables, from: readonly string[]): fc.Arbitrary<PlainCondition> {
  const fields = reachableFields(star, from);
  return fc.constantFrom(...fields).chain(({ field, type }) => {
    const values = (length: number): fc.Arbitrary<Exclude<Cell, null>[]> =>
      fc.array(cellOf(type) as fc.Arbitrary<Exclude<Cell, null>>, { minLength: length, maxLength: length });
    const isOrdered = type !== 'text' && type !== 'boolean';
    const test = (...tests: readonly PlainCondition['test'][]): fc.Arbitrary<PlainCondition['test']> =>
      fc.constantFrom(...tests);
    // Mostly such that many rows meet them.
    return fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          field: fc.constant(field),
          test: isOrdered ? test('<>', '<', '<=', '>', '>=') : test('=', '<>', '<>'),
          values: values(1),
        }),
      },
      {
        weight: isOrdered ? 0 : 2,
        arbitrary: fc.record({ field: fc.constant(field), test: test('in'), values: values(4) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          field: fc.constant(field),
          test: test('null', 'not null', 'not null'),
          values: fc.constant([]),
        }),
      },
    );
  });
}

export function reachableFields(
  star: Tables,
  from: readonly string[],
): readonly { readonly field: string; readonly type: PlainColumn['type'] }[] {
  return star.tables
    .filter(({ name }) => from.every((one) => pathTo({ ...star, metrics: [] }, one, name) !== undefined))
    .flatMap(({ name, columns }) =>
      columns
        .filter((column) => !column.name.endsWith('_id'))
        .map((column) => ({ field: `${name}.${column.field ?? column.name}`, type: column.type })),
    );
}
