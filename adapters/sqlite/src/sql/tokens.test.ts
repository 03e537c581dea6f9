import { sqliteDialect } from '@askema/dialects';
import { type SqlToken, scanSql } from '@askema/sql';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { nameOfToken, significantTokens, type TokenKind, tokenize } from './tokens.ts';

const kinds = (sql: string) => [...tokenize(sql)].map(({ kind, text }) => [kind, text]);

test('words, names, strings, numbers, parameters, symbols', () => {
  expect(kinds(`SELECT "a""b", [c d], \`e\`, 'it''s', x'00', 1.5e3, ?2, :n, größe FROM t->>'$.x'`)).toEqual([
    ['word', 'SELECT'],
    ['name', '"a""b"'],
    ['symbol', ','],
    ['name', '[c d]'],
    ['symbol', ','],
    ['name', '`e`'],
    ['symbol', ','],
    ['string', "'it''s'"],
    ['symbol', ','],
    ['blob', "x'00'"],
    ['symbol', ','],
    ['number', '1.5e3'],
    ['symbol', ','],
    ['parameter', '?2'],
    ['symbol', ','],
    ['parameter', ':n'],
    ['symbol', ','],
    ['word', 'größe'],
    ['word', 'FROM'],
    ['word', 't'],
    ['symbol', '->>'],
    ['string', "'$.x'"],
  ]);
});

test('comments do not nest, end with the text, and need more than two characters to begin', () => {
  expect(kinds('/* /* */ a')).toEqual([
    ['comment', '/* /* */'],
    ['word', 'a'],
  ]);
  expect(kinds('/**/a')[0]).toEqual(['comment', '/**/']);
  expect(kinds('/*/ */a')[0]).toEqual(['comment', '/*/ */']);
  expect(kinds('a /* b')).toEqual([
    ['word', 'a'],
    ['comment', '/* b'],
  ]);
  expect(kinds('/*').map(([kind]) => kind)).toEqual(['symbol', 'symbol']);
  expect([...significantTokens('--x\nb')].map(({ text }) => text)).toEqual(['b']);
});

test('what SQLite does not recognise is illegal: unclosed quotes, odd blobs, digits in letters, other blanks', () => {
  for (const sql of ["'abc", "'a''b''", '"abc', '[abc', "x'0", "x'0g'", '1abc', '\v', '\u0001'])
    expect({ sql, kind: kinds(sql)[0]?.[0] }).toEqual({ sql, kind: 'illegal' });
});

test('a byte order mark is white space before a token, and a letter inside of one', () => {
  expect(kinds('\uFEFF a\uFEFFb')).toEqual([['word', 'a\uFEFFb']]);
});

test('a vertical tab is white space behind white space only', () => {
  expect(kinds(' \va')).toEqual([['word', 'a']]);
  expect(kinds('\va')[0]?.[0]).toBe('illegal');
});

test('the name of a quoted token', () => {
  const names = [...tokenize('a "b""c" [d] `e``f` 1')].map(nameOfToken);
  expect(names).toEqual(['a', 'b"c', 'd', 'e`f', undefined]);
});

test('tokens and the blanks between them are the whole text, whatever it is', () => {
  const piece = fc.constantFrom(
    'SELECT',
    "'a''b'",
    "'",
    '"',
    '[',
    ']',
    '/*',
    '*/',
    '--',
    '\n',
    ' ',
    ';',
    '1',
    '.',
    "x'",
    '\uFEFF',
    'é',
    '$a',
    '?',
    '->',
    '\0',
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string({ unit: anyCharacter }),
  );
  fc.assert(
    fc.property(text, (sql) => {
      // One assertion for each text: thousands of them are slow on a busy machine.
      const tokens = [...tokenize(sql)];
      const ends = [0, ...tokens.map(({ end }) => end)];
      const gaps = [...tokens.map(({ start }) => start), sql.length].map((start, index) =>
        sql.slice(ends[index], start),
      );
      expect({
        gaps: gaps.filter((gap) => !/^[ \t\n\v\f\r\uFEFF]*$/.test(gap)),
        empty: tokens.filter(({ start, end }) => end <= start),
        backwards: tokens.filter(({ start }, index) => start < (ends[index] ?? 0)),
        text: tokens.filter(({ start, end, text }) => sql.slice(start, end) !== text),
      }).toEqual({ gaps: [], empty: [], backwards: [], text: [] });
    }),
  );
});

/** `#` opens a variable to SQLite's tokenizer, although its parser then takes none. */
const TRAITS = { ...sqliteDialect.lexer, parameterPrefixes: [...sqliteDialect.lexer.parameterPrefixes, '#'] };

/** The kind that this lexer gives to what core calls by another name. */
function kindHere({ kind, text, unterminated }: SqlToken): TokenKind {
  if (kind === 'word' || kind === 'number' || kind === 'parameter' || kind === 'comment') return kind;
  if (kind === 'string') return unterminated ? 'illegal' : text.startsWith("'") ? 'string' : 'blob';
  if (kind === 'quotedName') return unterminated ? 'illegal' : 'name';
  return kind === 'operator' || (kind === 'punctuation' && '(),;.'.includes(text)) ? 'symbol' : 'illegal';
}

test("core's lexer with the settings of the dialect reads the same tokens", () => {
  const piece = fc.constantFrom(
    ..."SELECT 'a''b' ' '' \" \"\" ` [ ] /* */ / -- ; 1 . e 1e5 x' X'0g' x'00' é $a $ #a # @b :c : ? ?1 -> ->> => ! ^ { } {{ 0x1F _ \\ || // \0".split(
      ' ',
    ),
    ...[' ', '\n', '\r', '\v', '\uFEFF', '\u00A0', '\uD800'],
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 14 }).map((parts) => parts.join('')),
    fc.string({ unit: anyCharacter }),
  );
  fc.assert(
    fc.property(text, (sql) => {
      const core = [...scanSql(sql, TRAITS)].filter(({ kind }) => kind !== 'blank');
      const same = core.flatMap((token) =>
        // At the very end this opens no comment.
        token.text === '/*'
          ? [
              ['symbol', '/'],
              ['symbol', '*'],
            ]
          : [[kindHere(token), token.text]],
      );
      expect(same).toEqual(kinds(sql));
    }),
    { numRuns: propertyRuns(500) },
  );
});
