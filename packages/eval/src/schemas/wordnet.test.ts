import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openWordNet } from './wordnet.ts';

const directory = fileURLToPath(new URL('./fixtures/wordnet', import.meta.url));

it('knows synonyms of any part of speech, inflected ones too', async () => {
  const { areSynonyms, name } = await openWordNet({ directory });
  expect(name).toBe('wordnet');
  expect(areSynonyms('client', 'customer')).toBe(true);
  expect(areSynonyms('clients', 'customers')).toBe(true);
  expect(areSynonyms('purchase', 'buy')).toBe(true);
  expect(areSynonyms('purchases', 'buying')).toBe(true);
  expect(areSynonyms('bought', 'purchased')).toBe(true);
  expect(areSynonyms('customer', 'person')).toBe(false);
});

it('takes a word that it does not know for no synonym, not even of itself', async () => {
  const { areSynonyms } = await openWordNet({ directory });
  expect(areSynonyms('name', 'name')).toBe(true);
  expect(areSynonyms('username', 'username')).toBe(false);
  expect(areSynonyms('', '')).toBe(false);
});

it('says what is missing', async () => {
  await expect(openWordNet({ directory: `${directory}/none` })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('index.noun'),
  });
});
