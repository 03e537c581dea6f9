import { expect, it } from 'vitest';
import type { KeptChoice } from './conversation-options.ts';
import { matchChoice } from './match-choice.ts';

const choices = [
  'Orders by the day they were placed.',
  'Orders by the day they were shipped.',
  'Bestellungen nach Größe',
].map((meaning, at): KeptChoice => ({ id: String(at + 1), meaning, resolution: { kind: 'evidence', text: meaning } }));

it.each([
  ['1', '1'],
  [' (2) ', '2'],
  ['3.', '3'],
  ['shipped', '2'],
  ['by the day they were PLACED', '1'],
  ['nach größe', '3'],
  ['Orders by the day they were shipped.', '2'],
  // In two of them, in none, a question, more than an answer.
  ['orders', undefined],
  ['4', undefined],
  ['2023', undefined],
  ['delivered', undefined],
  ['shipped?', undefined],
  ['the orders that were shipped on the day after they were placed', undefined],
  ['!!!', undefined],
])('%j is %j', (message, id) => {
  expect(matchChoice(message, choices)?.id).toBe(id);
});
