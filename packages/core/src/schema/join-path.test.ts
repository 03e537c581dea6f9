import { schemaFixture } from '@askema/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JoinPath } from './join-path.ts';
import { indexSchema, type SchemaIndex } from './schema-index.ts';

const shop = indexSchema(
  schemaFixture({
    customers: { attributes: ['id NUMERIC'], key: ['id'] },
    orders: {
      attributes: ['id NUMERIC', 'customer NUMERIC', 'payer NUMERIC'],
      key: ['id'],
      references: ['customer > customers: id', 'payer > customers: id'],
    },
    products: { attributes: ['id NUMERIC'], key: ['id'] },
    lines: {
      attributes: ['order NUMERIC', 'product NUMERIC'],
      references: ['order > orders: id', 'product > products: id'],
    },
    employees: { attributes: ['id NUMERIC', 'boss NUMERIC'], references: ['boss > employees: id'] },
  }),
);

const words = (path: JoinPath): string =>
  path.map(({ to, foreignKey, direction }) => `${direction} ${foreignKey.pairs[0]?.from} ${to}`).join('; ');

describe('joinPaths', () => {
  it('lists every shortest way, parallel keys apart, in the order of the schema', () => {
    expect(shop.joinPaths('customers', 'products').map(words)).toEqual([
      'backward orders#customer orders; backward lines#order lines; forward lines#product products',
      'backward orders#payer orders; backward lines#order lines; forward lines#product products',
    ]);
    expect(shop.joinPaths('customers', 'products', { limit: 1 })).toHaveLength(1);
  });

  it('follows keys forward before it goes against them', () => {
    const both = indexSchema(
      schemaFixture({
        head: { attributes: ['id NUMERIC', 'first NUMERIC'], key: ['id'], references: ['first > line: id'] },
        line: { attributes: ['id NUMERIC', 'head NUMERIC'], key: ['id'], references: ['head > head: id'] },
      }),
    );
    expect(both.joinPaths('head', 'line').map(words)).toEqual(['forward head#first line', 'backward line#head line']);
    expect(both.joinPaths('line', 'head').map(words)).toEqual(['forward line#head head', 'backward head#first head']);
  });

  it('is empty without a way, and has one empty path from a relation to itself', () => {
    expect(shop.joinPaths('customers', 'employees')).toEqual([]);
    expect(shop.joinPaths('customers', 'nothing')).toEqual([]);
    expect(shop.joinPaths('employees', 'employees')).toEqual([[]]);
    expect(shop.joinPaths('customers', 'products', { maxSteps: 2 })).toEqual([]);
    expect(shop.joinPaths('customers', 'products', { maxSteps: 3 })).toHaveLength(2);
  });

  it('agrees with a search of all simple paths on random schemas', () => {
    const edges = fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 10 });
    fc.assert(
      fc.property(edges, fc.nat(5), fc.nat(5), (pairs, from, to) => {
        const index = indexSchema(graph(pairs));
        const simple = allSimplePaths(index, `r${from}`, `r${to}`, new Set([`r${from}`]));
        const shortest = Math.min(...simple.map((path) => path.length));
        const expected = simple.filter((path) => path.length === shortest).map(words);
        expect(index.joinPaths(`r${from}`, `r${to}`, { limit: 100_000 }).map(words).sort()).toEqual(expected.sort());
      }),
      { numRuns: 300 },
    );
  });

  it('ends at its limit where shortest paths are exponentially many', () => {
    const ladder = Array.from({ length: 40 }, (_, rung) => [
      [rung, rung + 1] as [number, number],
      [rung, rung + 1] as [number, number],
    ]).flat();
    expect(indexSchema(graph(ladder, 41)).joinPaths('r0', 'r40', { limit: 50 })).toHaveLength(50);
  });
});

/** Relations r0, r1, … with one foreign key for each pair, parallel ones through different attributes. */
function graph(pairs: readonly (readonly [number, number])[], size = 6) {
  const relations = Array.from({ length: size }, (_, index) => {
    const own = pairs.flatMap(([from, to], key) => (from === index ? [{ key, to }] : []));
    const attributes = ['id NUMERIC', ...own.map(({ key }) => `k${key} NUMERIC`)];
    return [`r${index}`, { attributes, references: own.map(({ key, to }) => `k${key} > r${to}: id`) }] as const;
  });
  return schemaFixture(Object.fromEntries(relations));
}

function allSimplePaths(index: SchemaIndex, at: string, to: string, seen: ReadonlySet<string>): JoinPath[] {
  if (at === to) return [[]];
  const steps = [
    ...index
      .foreignKeysFrom(at)
      .map((foreignKey) => ({ from: at, to: foreignKey.target, foreignKey, direction: 'forward' as const })),
    ...index
      .foreignKeysTo(at)
      .map((foreignKey) => ({ from: at, to: foreignKey.relation, foreignKey, direction: 'backward' as const })),
  ];
  return steps
    .filter((step) => !seen.has(step.to))
    .flatMap((step) => allSimplePaths(index, step.to, to, new Set([...seen, step.to])).map((rest) => [step, ...rest]));
}
