import { expect, test } from 'vitest';
import { likeness, MIN_SHARE, pairUp, SAME_NAME, SAME_WITH_OWNER, SAME_WORDS } from './match-names.ts';

test.each([
  ['lent on', 'Lent_On', [], SAME_NAME],
  ['Order Lines', 'OrderLine', [], SAME_NAME],
  ['date of birth', 'birth_date', [], SAME_WORDS],
  ["the reader's name", 'ReaderName', [], SAME_WORDS],
  ['name', 'CustomerName', ['Customer'], SAME_WITH_OWNER],
  ['loan date', 'date', ['Loan'], SAME_WITH_OWNER],
])('%s is %s', (wanted, name, owners, level) => {
  expect(likeness(wanted, name, owners)).toBe(level);
});

test.each([
  ['returned on', 'return_date'],
  ['phone', 'phone_number'],
  ['loan record', 'loan'],
])('%s is near %s', (wanted, name) => {
  expect(likeness(wanted, name)).toBeGreaterThanOrEqual(MIN_SHARE);
});

test.each([
  ['lent on', 'loan_date'],
  ['order number', 'order_date'],
  ['phone number', 'phone_type'],
  ['customer name', 'customer_id'],
  ['book copy', 'book'],
  ['purchase order line', 'purchase_order'],
  ['name', 'number'],
  ['start date', 'end_date'],
  ['title', 'series_title'],
])('%s is not %s', (wanted, name) => {
  expect(likeness(wanted, name)).toBeLessThan(MIN_SHARE);
});

test('who is exactly meant comes first, and what two want alike nobody gets', () => {
  const pairs = (...wanted: string[]) => [...pairUp(wanted, ['return_date'], (a, b) => likeness(a, b))];
  expect(pairs('returned on', 'return date')).toEqual([['return date', 'return_date']]);
  expect(pairs('returned on', 'returns')).toEqual([]);
});
