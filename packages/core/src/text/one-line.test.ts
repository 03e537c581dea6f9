import { describe, expect, test } from 'vitest';
import { oneLine, visibleText } from './one-line.ts';

describe('oneLine', () => {
  test('shows what is shown as nothing: tags, bidirectional and zero-width marks, fillers', () => {
    expect(oneLine('a\u{e0041}\u{e007f}b')).toBe('a\\u{e0041}\\u{e007f}b');
    expect(oneLine('\u202ex\u2066y\u200bz\u180e\u3164\ufeff')).toBe(
      '\\u{202e}x\\u{2066}y\\u{200b}z\\u{180e}\\u{3164}\\u{feff}',
    );
    expect(oneLine('two\nlines\ud800')).toBe('two\\nlines\\u{d800}');
  });

  test('shows variation selectors that vary nothing: a row of them spells a text', () => {
    expect(oneLine('a\ufe0f')).toBe('a\\u{fe0f}');
    expect(oneLine('👍\ufe0f\u{e0152}\u{e0155}!')).toBe('👍\ufe0f\\u{e0152}\\u{e0155}!');
    expect(visibleText('drop\u{e0134}\n☎\ufe0f')).toBe('drop\\u{e0134}\n☎\ufe0f');
  });

  test('leaves the text of every script alone', () => {
    for (const text of ['Zoë', '東京都', 'مرحبا', '٪؀١٢', '葛\u{e0100}', '☎️']) expect(oneLine(text)).toBe(text);
  });
});

test('visibleText keeps lines, tabs and the joiners that scripts and emoji need', () => {
  expect(visibleText('a\n\tb 👩‍👩‍👧 می‌خواهم')).toBe('a\n\tb 👩‍👩‍👧 می‌خواهم');
  expect(visibleText('a\u{e0041}\u202e\u200b')).toBe('a\\u{e0041}\\u{202e}\\u{200b}');
});

test('what visibleText escapes does not depend on the characters beside it', () => {
  const one = (code: number): string => visibleText(String.fromCharCode(code));
  // A letter that is not among those that are told fast.
  const besideOther = (code: number): string => visibleText(`${String.fromCharCode(code)}ж`).slice(0, -1);
  const other = Array.from({ length: 0xd800 }, (_, code) => code).filter((code) => one(code) !== besideOther(code));
  expect(other).toEqual([]);
});
