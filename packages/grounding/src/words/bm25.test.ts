import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBm25 } from './bm25.ts';
import { splitWords } from './split-words.ts';

describe('splitWords', () => {
  it.each([
    ['GA_SESSIONS_20160801', ['ga', 'session', '20160801']],
    ['orderID2016', ['order', 'id', '2016']],
    ['XMLHttpRequests', ['xml', 'http', 'request']],
    ['HG19 1YR', ['hg', '19', 'hg19', '1', 'yr', '1yr']],
    ['Cities, boxes, glass, status and analyses', ['city', 'box', 'glass', 'status', 'and', 'analyse']],
    ['großeStraße', ['große', 'straße']],
    ['売上金額', ['売上', '上金', '金額']],
    ["the customer's id", ['the', 'customer', 's', 'id']],
    ['', []],
  ])('%s', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it('finds the same words however they are joined', () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const camel = words.map((part) => part[0]?.toUpperCase() + part.slice(1)).join('');
        expect(splitWords(camel)).toEqual(splitWords(words.join('_')));
        expect(splitWords(words.join('_').toUpperCase())).toEqual(splitWords(words.join(' ')));
      }),
    );
  });

  it('stays linear on hostile text', () => {
    const text = `${'aA'.repeat(100_000)} ${'ſ\u0301'.repeat(100_000)} ${'9'.repeat(100_000)}`;
    expect(splitWords(text)).toEqual([]);
  });
});

describe('createBm25', () => {
  const index = createBm25([
    'orders: order_id, customer_id, total',
    'customers: customer_id, name, city',
    [
      { text: 'shipments', weight: 5 },
      { text: 'order_id, city', weight: 1 },
    ],
  ]);
  const ranked = (query: string): number[] => index.rank(query).map(({ document }) => document);

  it('puts the document first that has the rare words', () => {
    expect(ranked('total of all orders')[0]).toBe(0);
    expect(ranked('which customer lives in which city')[0]).toBe(1);
    expect(ranked('shipment of an order')[0]).toBe(2);
    expect(ranked('weather')).toEqual([]);
  });

  it('counts a word of many documents less, and says so', () => {
    expect(index.rarity('name')).toBeGreaterThan(index.rarity('order'));
    expect(index.rarity('weather')).toBe(0);
  });

  it('weighs the pieces of a query', () => {
    const query = [
      { text: 'name', weight: 0.1 },
      { text: 'total', weight: 1 },
    ];
    expect(index.rank(query).map(({ document }) => document)).toEqual([0, 1]);
  });

  it('lives with an empty list, empty documents and words that every object has', () => {
    expect(createBm25([]).rank('constructor __proto__')).toEqual([]);
    expect(createBm25(['', 'constructor']).rank('constructor')).toEqual([{ document: 1, score: expect.any(Number) }]);
  });

  it('keeps the order of documents for equal scores', () => {
    const equal = createBm25(['a b', 'c d', 'b a']);
    expect(equal.rank('a').map(({ document }) => document)).toEqual([0, 2]);
  });
});
