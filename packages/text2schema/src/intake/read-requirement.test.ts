import { countTokensRoughly } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRequirement } from './read-requirement.ts';
import { splitRequirement } from './split-requirement.ts';

const read = (text: string, maxTokens = 12_000) =>
  readRequirement(text, { maxTokens, countTokens: countTokensRoughly });

describe('readRequirement', () => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['a byte order mark alone', '\ufeff\n'],
    ['no word', '12 345 !!! -- 7'],
    ['a NUL', 'A shop sells\u0000 products'],
    ['bytes of an image', '\u0089PNG\r\n\u001a\n IHDR'],
    ['half a surrogate pair', 'A shop \ud83d sells'],
    ['undecodable bytes', `A shop ${'\ufffd'.repeat(20)}`],
    ['too much', 'a'.repeat(4_000_001)],
    ['no string at all', 42 as never],
  ])('refuses %s with a code and advice', (_name, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
    expect(() => read(text)).toThrow(/plain UTF-8 text/);
  });

  it('takes texts with tabs, form feeds and a byte order mark, and drops only the mark', () => {
    expect(read('\ufeffA shop\tsells\f\r\nproducts.').text).toBe('A shop\tsells\f\r\nproducts.');
  });

  it.each([
    ['en', 'Each customer of the shop places orders, and each order has a date.'],
    ['zh', '图书馆需要管理读者和图书。每位读者可以借阅多本图书。'],
    ['zh', '系统需要记录 customer_id 和 order_id，每个订单属于一个客户。'],
    ['ja', '図書館は利用者と本を管理する。利用者は本を借りることができる。'],
    ['ko', '도서관은 회원과 도서를 관리한다.'],
    ['de', 'Die Bibliothek hat Leser und Bücher; jeder Leser wird mit Namen geführt.'],
    ['fr', 'La bibliothèque gère les livres et les lecteurs; chaque lecteur est inscrit avec un nom.'],
    ['es', 'La biblioteca tiene los libros y los lectores; cada lector se registra con su nombre.'],
    ['ru', 'Библиотека хранит сведения о читателях и книгах.'],
    ['und', 'Customer Order Product'],
  ])('tells %s: %s', (language, text) => {
    expect(read(text).language).toBe(language);
  });

  it('cuts 20,000 words at headings, paragraphs and sentences, within the budget', () => {
    const section = (number: number) =>
      `## Area ${number}\n\n${'Each warehouse stores products in shelves. Every shelf has a number. '.repeat(30)}\n\n`;
    const text = Array.from({ length: 65 }, (_, at) => section(at)).join('');
    expect(text.split(/\s+/).length).toBeGreaterThan(20_000);
    const { parts } = read(text, 3000);
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.join('')).toBe(text);
    for (const part of parts) {
      expect(countTokensRoughly(part)).toBeLessThanOrEqual(3000);
      expect(part.startsWith('## Area')).toBe(true);
    }
  });
});

describe('splitRequirement', () => {
  const pieces = fc.constantFrom(
    '# A\n',
    '\n\n',
    'word ',
    'Ein Satz. ',
    '图书馆。',
    '🙂',
    'x'.repeat(40),
    '\r\n',
    ', ',
    'a',
  );

  it('loses nothing and keeps the budget, whatever the text', () => {
    const texts = fc.array(pieces, { maxLength: 120 }).map((list) => list.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 3, max: 60 }), (text, maxTokens) => {
        const parts = splitRequirement(text, maxTokens, countTokensRoughly);
        expect(parts.join('')).toBe(text);
        for (const part of parts) {
          expect(countTokensRoughly(part)).toBeLessThanOrEqual(maxTokens);
          expect(part).not.toMatch(/\p{Surrogate}/u);
        }
      }),
    );
  });

  it('ends with a counter for which the whole is more than its parts, and with one that nothing satisfies', () => {
    const text = 'word '.repeat(200);
    const squares = (part: string) => part.length ** 2;
    const parts = splitRequirement(text, 400, squares);
    expect(parts.join('')).toBe(text);
    expect(Math.max(...parts.map(squares))).toBeLessThanOrEqual(400);
    expect(splitRequirement('🙂🙂', 1, () => 9)).toEqual(['🙂', '🙂']);
  });

  it('takes a hostile text in a moment', () => {
    const text = `${' '.repeat(300_000)}${'\n'.repeat(300_000)}${'. '.repeat(100_000)}${'#'.repeat(300_000)}`;
    expect(splitRequirement(text, 5000, countTokensRoughly).join('')).toBe(text);
  });
});
