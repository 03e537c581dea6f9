import { phraseSet, phraseTable } from './phrase-table.ts';

/** Between an attribute and a piece of text. */
export const LIKE = phraseTable<'start' | 'end' | 'inside'>([
  ...'starts with|start with|starting with|begins with|begin with|beginning with|started with|starts with the letter|start with the letter|starting with the letter|begins with the letter|beginning with the letter|begin with the letter'
    .split('|')
    .map((phrase) => [phrase, 'start'] as const),
  ...'ends with|end with|ending with|ends in|ending in|ends with the letter|ending with the letter'
    .split('|')
    .map((phrase) => [phrase, 'end'] as const),
  ...'contains|contain|containing|includes|include|including|contains the word|containing the word|contain the word|includes the word|has the word|has the substring|contains the substring|containing the substring|contains the letter|containing the letter|contains the text|containing the text|contains the phrase|containing the phrase|like|is like|are like|with the word|includes the substring'
    .split('|')
    .map((phrase) => [phrase, 'inside'] as const),
]);

/** Behind an attribute: it holds nothing. */
export const MISSING = phraseSet([
  'null',
  'missing',
  'empty',
  'unknown',
  'not known',
  'not given',
  'not available',
  'not set',
  'not recorded',
  'blank',
  'not specified',
  'undefined',
  'not provided',
]);

/** Behind an attribute: it holds something. */
export const PRESENT = phraseSet([
  'known',
  'given',
  'available',
  'set',
  'not null',
  'not missing',
  'not empty',
  'recorded',
  'specified',
  'provided',
]);
