import { describe, expect, it } from 'vitest';
import { cutText, onOneLine } from './cut-text.ts';

describe('cutText', () => {
  it('keeps what fits, and marks what is cut', () => {
    expect(cutText('four', 4)).toBe('four');
    expect(cutText('fives', 4)).toBe('five…');
  });

  it('never leaves half a character', () => {
    expect(cutText('ab😀cd', 3)).toBe('ab…');
    expect(cutText('ab😀cd', 4)).toBe('ab😀…');
  });
});

describe('onOneLine', () => {
  it('leaves no line break of any kind', () => {
    expect(onOneLine('a\r\nb\u2028\u2029c')).toBe('a b c');
    expect(onOneLine('a\n\nb', ' ⏎ ')).toBe('a ⏎ b');
  });
});
