import { describe, expect, it } from 'vitest';
import { DARK, LIGHT, type Palette, STYLE } from './page-style.ts';

/** Relative luminance of `#rrggbb`, by WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const TEXTS: readonly (keyof Palette)[] = [
  'text',
  'muted',
  'link',
  'right',
  'wrong',
  'declined',
  'failed',
  'goldFailed',
];
const SHAPES: readonly (keyof Palette)[] = ['edge', 'first', 'second', 'right', 'wrong', 'declined', 'failed'];

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('the %s palette', (_name, palette) => {
  it.each(TEXTS)('reads %s at 4.5:1 or more, on the page and on surfaces', (name) => {
    expect(contrast(palette[name], palette.page)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(palette[name], palette.surface)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(SHAPES)('draws %s at 3:1 or more', (name) => {
    expect(contrast(palette[name], palette.page)).toBeGreaterThanOrEqual(3);
    expect(contrast(palette[name], palette.surface)).toBeGreaterThanOrEqual(3);
  });
});

it('knows the contrast of black on white', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

it('has no colour beside those of the palettes', () => {
  const known = new Set([...Object.values(LIGHT), ...Object.values(DARK)]);
  expect((STYLE.match(/#[0-9a-f]{3,8}\b/g) ?? []).filter((colour) => !known.has(colour))).toEqual([]);
});
