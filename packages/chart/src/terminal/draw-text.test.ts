import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { monthOf, resultOf, rowsOf } from '../test-support/results.ts';
import { bar, line } from '../test-support/specs.ts';
import { drawText } from './draw-text.ts';

test('bars', () => {
  const result = resultOf('country, n', [
    ['Norway', 12],
    ['東京', 31],
    ['Chile', -8],
  ]);
  expect(drawText(bar, result, { width: 40 })).toMatchInlineSnapshot(`
    "Orders
    country n
     Norway       │████████▋ 12
       東京       │██████████████████████▎ 31
      Chile ██████│ -8
    "
  `);
  expect(drawText(bar, result, { width: 40, charset: 'ascii' })).toMatchInlineSnapshot(`
    "Orders
    country n
     Norway       |######### 12
       東京       |###################### 31
      Chile ######| -8
    "
  `);
});

test('a line', () => {
  const result = resultOf(
    'month, n',
    [0, 1, 2, 4, 5].map((at) => [monthOf(at), at * at]),
  );
  expect(drawText(line, result, { width: 40 })).toMatchInlineSnapshot(`
    "Orders
       n
    25 │                                   ●
       │                                 ··
    20 │                               ··
       │                             ··
    15 │                            ●
       │
       │
    10 │
       │
     5 │             ·●
       │        ·····
     0 │●······●
       └────────────────────────────────────
        2024-01                      2024-06
    1 gap: a value or a step is missing
    there.
    "
  `);
});

test('panels that may be compared have one scale, names that begin alike stay different, and a missing step is seen', () => {
  const result = resultOf('month, y2023, y2024', [
    ['01', 10, 20],
    ['03', 5, 20],
  ]);
  expect(
    drawText({ ...bar, y: [1, 2], sort: 'x', title: 'Revenue of this year against last year' }, result, {
      width: 30,
      charset: 'ascii',
    }),
  ).toMatchInlineSnapshot(`
    "Revenue of this year against
    last year
    month y2023
       01 |########## 10
          |
       03 |##### 5
          y2024
       01 |#################### 20
          |
       03 |#################### 20
    1 empty place: a step without
    a row.
    "
  `);
  const films = resultOf('title, n', [
    ['The Case of the Mystery, first', 9],
    ['The Case of the Mystery, last', 8],
  ]);
  expect(drawText(bar, films, { width: 40 })).toMatchInlineSnapshot(`
    "Orders
            title n
     The Ca…first │███████████████████████ 9
    The Ca…, last │████████████████████▌ 8
    "
  `);
});

test('a stack says its sum, and its smallest part is seen', () => {
  const result = resultOf('k, s, n', [
    ['a', 'x', 1],
    ['a', 'y', 1],
    ['a', 'z', 98],
    ['b', 'y', 3],
    ['b', 'z', 7],
    ['c', 'x', null],
    ['c', 'y', null],
  ]);
  expect(
    drawText({ ...bar, y: [2], series: 1, layout: 'stacked' }, result, { width: 30, charset: 'ascii' }),
  ).toMatchInlineSnapshot(`
      "Orders
      # x  = y  + z
      k n
      a |#=+++++++++++++++++++++ 100
      b |=+ 10
      c |
      Numbers are sums of the parts
      that are drawn. The smallest
      parts take one column.
      2 bars have no number.
      "
    `);
});

test('a digit where marks of several series meet', () => {
  const result = resultOf('year, s, n', [
    ...['a', 'b', 'c'].map((name) => ['2022', name, 5] as const),
    ...['a', 'b', 'c'].map((name, at) => ['2023', name, [9, 9, 0][at] ?? 0] as const),
    ...['a', 'b', 'c'].map((name, at) => ['2024', name, at * 4] as const),
  ]);
  expect(drawText({ ...line, y: [2], series: 1 }, result, { width: 30, charset: 'ascii' })).toMatchInlineSnapshot(`
    "Orders
    * a  o b  + c
       n
    10 |
       |            .2
     8 |         ...  ...        +
       |      ...      . ..     .
     6 |   ...          .. .. ..
       | ..               .  ..
       |3..                ..  ..
     4 |   ..             ...    o
       |     ...         .   .
     2 |        ..      .     ..
       |          ..  ..        .
     0 |            .+           *
       +--------------------------
        2022                  2024
    A digit is a place where so
    many series meet.
    "
  `);
  const alone = resultOf('year, s, n', [
    ['2022', 'a', 5],
    ['2023', 'a', 9],
    ['2022', 'b', 1],
  ]);
  expect(drawText({ ...line, y: [2], series: 1 }, alone)).not.toContain('digit');
});

describe('on any terminal', () => {
  const rows = rowsOf(24, (at) => [monthOf(at % 6), `series ${Math.floor(at / 6)}`, at]);
  const result = resultOf('month, s, n', rows);
  const specs: readonly ChartSpec[] = [
    { ...line, y: [2], series: 1 },
    { ...bar, y: [2], series: 1, layout: 'stacked' },
    { ...bar, y: [2], series: 1, layout: 'grouped' },
  ];

  test.each(specs)('no line is wider than it: $kind $layout', (spec) => {
    for (const width of [30, 55, 200])
      for (const each of drawText(spec, result, { width }).split('\n'))
        expect(stringWidth(each)).toBeLessThanOrEqual(width);
  });

  test('ASCII is ASCII', () => {
    for (const spec of specs) expect(drawText(spec, result, { charset: 'ascii' })).toMatch(/^[ -~\n]*$/);
  });

  test('colours only where they are asked for', () => {
    for (const spec of specs) {
      expect(drawText(spec, result)).not.toContain('\u001b');
      expect(drawText(spec, result, { color: true })).toContain('\u001b[34m');
    }
  });

  test('labels hold nothing that a terminal obeys', () => {
    const text = drawText(
      { ...bar, title: '\u001b]0;t\u0007' },
      resultOf('\u001b[2J, n', [
        ['\u001b[31mred\u0007', 1],
        ['a\nb\r\u009b', 2],
        ['\u202eevil', 3],
      ]),
    );
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    expect(text).toContain('\\u{1b}[31mred');
  });

  test('the largest floats, NULL and NaN', () => {
    const text = drawText(
      bar,
      resultOf('k, n:NUMERIC', [
        ['a', Number.MAX_VALUE],
        ['b', -Number.MAX_VALUE],
        ['c', null],
        ['d', Number.NaN],
      ]),
    );
    expect(text).toMatch(/a +│█+ 1\.798E308\nb █+│ -1\.798E308\nc +│ NULL\nd +│ NaN\n2 bars have no number\.\n$/);
  });

  describe('a million points', () => {
    const plotted = (spec: ChartSpec): readonly string[] => {
      const height = (at: number): number => (at === 345_678 ? -50 : at === 654_321 ? 100 : 20);
      const result = resultOf(
        't:NUMERIC, n:NUMERIC',
        rowsOf(1_000_000, (at) => [at, height(at)]),
      );
      return drawText(spec, result, { charset: 'ascii' }).split('\n');
    };
    test.each([line, { ...bar, kind: 'scatter' as const }])('$kind: the lowest and the highest are there', (spec) => {
      const lines = plotted(spec).filter((each) => each.includes('|'));
      expect(lines).toHaveLength(12);
      const marked = lines.filter((each) => /[*.:oO]/.test(each.replace(/.*\|/, '')));
      expect(marked).toHaveLength(3);
      expect([marked[0], marked[2]]).toEqual([lines[0], lines.at(-1)]);
    });
  });

  test.each([[{ width: 10 }], [{ charset: 'utf8' as never }]])('%j is refused', (options) => {
    expect(() => drawText(bar, result, options)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});
