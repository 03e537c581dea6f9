import { expect, test } from 'vitest';
import { cutLabels, wrapText } from './cut-labels.ts';

const widthOf = (text: string): number => text.length;

test.each<[string[], number, string[]]>([
  [['Norway', 'Sweden and more'], 10, ['Norway', 'Sweden an…']],
  [['Customers in Norway', 'Customers in Spain'], 12, ['Custo…Norway', 'Custo…Spain']],
  [['The case of the red house, part 1', 'The case of the red house, part 2'], 9, ['The…art 1', 'The…art 2']],
  [['aaaaaaaa1zzzzzzzz', 'aaaaaaaa2zzzzzzzz'], 8, ['1. aaaa…', '2. aaaa…']],
  [['same', 'same'], 4, ['same', 'same']],
])('different labels stay different: %j in %i', (labels, width, shown) => {
  expect(cutLabels(labels, widthOf, width)).toEqual(shown);
});

test('a text on several lines', () => {
  expect(wrapText('one two three', widthOf, 7)).toEqual(['one two', 'three']);
  expect(wrapText('unbreakable word', widthOf, 6)).toEqual(['unbrea', 'kable', 'word']);
  expect(wrapText('one two three four', widthOf, 7, 2)).toEqual(['one two', 'three…']);
});
