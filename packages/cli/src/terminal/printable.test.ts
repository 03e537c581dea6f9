import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { unsafeCharacters } from '../testing/unsafe-characters.ts';
import { printable, printableLines, withoutUserInfo } from './printable.ts';

describe('printable', () => {
  it('leaves ordinary text of any script alone', () => {
    for (const text of ['Zoë Müller', '東京都', 'مرحبا', 'a👩‍👩‍👧b', 'x = 1; -- ok', '٪؀١٢']) {
      expect(printable(text)).toBe(text);
    }
  });

  it('escapes what moves the cursor, changes colours or sets the title', () => {
    expect(printable('a\u001b[2J\u001b]0;pwned\u0007b')).toBe('a\\u{1b}[2J\\u{1b}]0;pwned\\u{7}b');
    expect(printable('c1: \u009b31m')).toBe('c1: \\u{9b}31m');
    expect(printable('two\nlines\tand\rback')).toBe('two\\nlines\\tand\\rback');
  });

  it('escapes what hides or reorders text', () => {
    expect(printable('user\u202etxt.exe')).toBe('user\\u{202e}txt.exe');
    expect(printable('zero\u200bwidth\ufeff')).toBe('zero\\u{200b}width\\u{feff}');
    expect(printable('tag\u{e0041}')).toBe('tag\\u{e0041}');
    expect(printable('unassigned tag\u{e0002}')).toBe('unassigned tag\\u{e0002}');
    expect(printable('half \ud800 pair')).toBe('half \\u{d800} pair');
  });

  it('never lets a control character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(unsafeCharacters(printable(text))).toEqual([]);
        expect(unsafeCharacters(printableLines(text), '\n\t')).toEqual([]);
      }),
    );
  });
});

describe('printableLines', () => {
  it('keeps line breaks and tabs, and nothing else', () => {
    expect(printableLines('SELECT 1\r\n\tFROM t\rx\u001b')).toBe('SELECT 1\n\tFROM t\\rx\\u{1b}');
  });
});

describe('withoutUserInfo', () => {
  it.each([
    'postgres://u:PW9@h/d',
    'postgres:u:PW9@h/d',
    'postgres:/u:PW9@h/d',
    'postgres:///u:PW9@h/d',
    'postgres//u:PW9@h/d',
    'postgres:\\\\u:PW9@h/d',
    'mysql:u:P/W9@h:3306/d',
    'sqlite:u:PW9@h/d',
    'u:PW9@h/d',
    'The folder /srv/u:PW9@h does not exist.',
  ])('takes the password out of %s', (text) => {
    expect(withoutUserInfo(text)).not.toContain('W9');
  });

  it.each(['https://registry:4873/@askema/core', 'me@db.example', 'at 10:15: me@host', 'postgres://reader@db/shop'])(
    'leaves %s',
    (text) => expect(withoutUserInfo(text)).toBe(text),
  );
});
