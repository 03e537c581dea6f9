import { expect, it } from 'vitest';
import { ACCEPTED } from '../bind/test-support/model-parts.ts';
import { bindShop, SHOP_MODEL, shopKnowledge } from '../reader/test-support/shop.ts';
import { whyDeclined } from './why-declined.ts';

const text = (kind: 'rule' | 'glossary', title: string, appliesTo: readonly string[] = []) =>
  ({ id: title, kind, title, text: 'It is so.', appliesTo, priority: 0, standing: ACCEPTED }) as const;
const texts = [text('glossary', 'Lost customer'), text('rule', 'Cities', ['city'])];
const filtered = (SHOP_MODEL.datasets ?? []).map((one) =>
  one.name === 'stores' ? { ...one, defaultFilter: 'stores.region IS NOT NULL' } : one,
);
const bound = bindShop(shopKnowledge({ datasets: filtered }, { texts }));
const why = (question: string) => whyDeclined({ question, today: '2024-05-15', values: [] }, bound);

it.each([
  ['revenue plus discounts', '"revenue"'],
  ['turnover of each supplier', '"turnover"'],
  ['names of big orders', '"big orders"'],
  ['How many orders did suppliers get?', '"orders"'],
  ['names of lost customers', '"lost customers"'],
  ['managers by city', '"city"'],
  // Not all of its rows count.
  ['managers of stores', '"stores"'],
])('%s: %s is defined, and why it is not answered', (question, name) => {
  expect(why(question)).toMatch(`The knowledge defines ${name}`);
  expect(why(question)).toMatch(/does not answer this question\. \S/);
});

it.each(['names of managers', 'names of customers', 'orders of Ada', ''])(
  '%s: nothing of it is defined',
  (question) => {
    expect(why(question)).toBeUndefined();
  },
);
