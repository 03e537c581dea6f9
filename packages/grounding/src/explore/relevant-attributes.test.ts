import { type AttributeId, type Catalog, indexSchema } from '@askema/core';
import { catalogFixture, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { EXPLORE_DEFAULTS } from './create-explorer.ts';
import { type RelevanceLimits, relevantAttributes } from './relevant-attributes.ts';

type Options = Partial<RelevanceLimits> & { readonly mentioned?: readonly AttributeId[] };

function choose(catalog: Catalog, question: string, { mentioned, ...limits }: Options): readonly AttributeId[] {
  return relevantAttributes(catalog, indexSchema(catalog), question, { ...EXPLORE_DEFAULTS, ...limits }, mentioned);
}

describe('relevantAttributes', () => {
  it('meets words inside of compound names, in lower case and without a separator', () => {
    const trade = catalogFixture(
      schemaFixture({
        sbticker: { attributes: ['sbtickerid NUMERIC', 'exchange TEXT'] },
        sbcustomer: { attributes: ['sbcustid NUMERIC', 'name TEXT'] },
        ground_service: { attributes: ['city TEXT'] },
        sbtransaction: { attributes: ['amount NUMERIC', 'sbsettlementdate DATETIME'] },
      }),
    );
    const relevant = (question: string, options: Options) => choose(trade, question, options);
    const one = { maxRelations: 1 };
    expect(relevant('How many transactions were there?', one)).toEqual([
      'sbtransaction#amount',
      'sbtransaction#sbsettlementdate',
    ]);
    expect(relevant('Settlements?', { ...one, maxAttributes: 1 })).toEqual(['sbtransaction#sbsettlementdate']);
    // Neither three letters nor all but one of another word are a match.
    expect(relevant('Was a cus round?', { maxRelations: 3 })).toEqual([]);
    const apart = schemaFixture({
      sbfare: { attributes: ['x TEXT'] },
      fare: { attributes: ['x TEXT'] },
      z: { attributes: ['x TEXT'] },
    });
    // A word of its own counts more than a part of one, and a part of a name more than cells.
    expect(choose(catalogFixture(apart), 'fares', { maxRelations: 2 })).toEqual(['fare#x', 'sbfare#x']);
    const mentioned = ['sbcustomer#name', 'sbticker#exchange', 'ground_service#city'];
    expect(relevant('Transactions of Ann in NYSE, Paris', { maxRelations: 3, mentioned })[0]).toBe(
      'sbtransaction#amount',
    );
  });

  it('looks at all of a small database, at what meets the question first, and at nothing without evidence in a large one', () => {
    const relations = ['a', 'b', 'wanted', 'c'].map((name) => [name, { attributes: ['x TEXT', 'y TEXT'] }] as const);
    const small = catalogFixture(schemaFixture(Object.fromEntries(relations)));
    const relevant = (question: string, options: Options) => choose(small, question, options);
    const all = relevant('wanted?', {});
    expect(all.slice(0, 2)).toEqual(['wanted#x', 'wanted#y']);
    expect(new Set(all).size).toBe(8);
    // The others share what is left.
    expect(relevant('wanted?', { maxAttributes: 5 })).toEqual(['wanted#x', 'wanted#y', 'a#x', 'b#x', 'c#x']);
    expect(relevant('wanted?', { maxAttributes: 1 })).toEqual(['wanted#x']);
    expect(relevant('nothing?', { maxAttributes: 4 })).toEqual(['a#x', 'b#x', 'wanted#x', 'c#x']);
    expect(relevant('wanted?', { maxRelations: 3 })).toEqual(['wanted#x', 'wanted#y']);
    expect(relevant('nothing?', { maxRelations: 3 })).toEqual([]);
  });

  it('leaves room for a relation of the right name where many hold a cell that the question mentions', () => {
    const names = Array.from({ length: 8 }, (_, number) => `place${number}`);
    const attributes = ['average TEXT', 'cost TEXT', 'trip TEXT', 'airline TEXT', 'sorted TEXT'];
    const crowded = catalogFixture(
      schemaFixture({
        ...Object.fromEntries(names.map((name) => [name, { attributes: ['code TEXT'] }])),
        fare: { attributes },
        flight_fare: { attributes: ['id NUMERIC'] },
      }),
    );
    const found = choose(crowded, 'average trip cost of fares, by airline, sorted, to ORD', {
      maxRelations: 3,
      mentioned: names.map((name) => `${name}#code`),
    });
    expect(new Set(found.map((id) => id.split('#')[0]))).toEqual(new Set(['fare', 'flight_fare', 'place0']));
  });

  it('of copies with the same attributes takes the best, and another one only by a word or a cell of its own', () => {
    const copy = { attributes: ['order_id NUMERIC', 'total NUMERIC', 'placed DATETIME'] };
    const merged = catalogFixture(
      schemaFixture({
        orders_a: copy,
        orders_b: copy,
        orders_c: copy,
        orders_archive: copy,
        customers: { attributes: ['name TEXT', 'order_count NUMERIC'] },
      }),
    );
    const relations = (question: string, options: Options = {}) => [
      ...new Set(choose(merged, question, { maxRelations: 3, ...options }).map((id) => id.split('#')[0])),
    ];
    expect(relations('orders of customers')).toEqual(['customers', 'orders_a']);
    expect(relations('orders in the archive')).toEqual(['orders_archive', 'customers']);
    expect(relations('orders of customers', { mentioned: ['orders_c#placed'] })).toContain('orders_c');
    // Where all fit, none is left out.
    expect(relations('orders of customers', { maxRelations: 5 })).toHaveLength(5);
  });

  it('takes the relation between two that the question names, though its own name says nothing', () => {
    const noise = ['student', 'course'].flatMap((word) =>
      Array.from({ length: 5 }, (_, number) => [`${word}_${number}`, { attributes: ['remark TEXT'] }] as const),
    );
    const school = catalogFixture(
      schemaFixture({
        student: { attributes: ['sid NUMERIC', 'grade TEXT'], key: ['sid'] },
        course: { attributes: ['cid NUMERIC', 'title TEXT'], key: ['cid'] },
        xref: {
          attributes: ['s NUMERIC', 'c NUMERIC'],
          references: ['s > student: sid', 'c > course: cid'],
        },
        ...Object.fromEntries(noise),
      }),
    );
    const found = choose(school, 'Which student takes the course?', { maxRelations: 3 });
    expect(new Set(found.map((id) => id.split('#')[0]))).toEqual(new Set(['course', 'student', 'xref']));
  });
});
