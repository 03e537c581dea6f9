import { describe, expect, test } from 'vitest';
import { chartOf } from '../choice/chart-of.ts';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { barsOf, draw, textsOf, titlesOf } from '../test-support/pictures.ts';
import { resultOf, rowsOf } from '../test-support/results.ts';
import { bar, dots, line } from '../test-support/specs.ts';
import { type XmlElement, xmlOf } from '../test-support/xml.ts';
import { drawSvg } from './draw-svg.ts';

describe('hostile results', () => {
  const names = [
    '<script>alert(1)</script>',
    '"/><image href="https://example.org/x.png"/>',
    "a' onload='alert(1)",
    ']]>&amp;&#x3c;',
    'null\u0000 bell\u0007 escape\u001b[31m',
    '\ufffe\uffff\ud800',
  ];

  test.each([bar, { ...bar, sort: 'x' as const }, { ...bar, title: names.join(' ').slice(0, 200) }])(
    'markup and control characters are text',
    (spec) => {
      const svg = draw(
        spec,
        resultOf(
          '<b onclick="alert(1)">, n',
          names.map((name, at) => [name, at]),
        ),
      );
      const all = (element: XmlElement): readonly XmlElement[] => [element, ...element.children.flatMap(all)];
      const allowed = ['svg', 'title', 'desc', 'rect', 'text', 'line', 'path', 'defs', 'pattern'];
      for (const { name, attributes } of all(svg)) {
        expect(allowed).toContain(name);
        for (const [key, value] of Object.entries(attributes)) {
          expect(key).not.toMatch(/^on|href|^style$|^class$|^src/);
          if (key !== 'aria-label') expect(value).not.toMatch(/alert|https?:(?!\/\/www\.w3\.org\/2000\/svg$)/);
        }
      }
      expect(textsOf(svg).join()).toContain('<scr');
      expect(titlesOf(svg).join()).toContain('<script>alert(1)</script>: 0');
    },
  );

  test('the order of a text stays within it', () => {
    const svg = draw(
      bar,
      resultOf('k, n', [
        ['\u202eevil', 1],
        ['שלום', 2],
      ]),
    );
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['\\u{202e}evil', '\u2068שלום\u2069']));
    expect(svg.attributes['aria-label']).toContain('(\u2068שלום\u2069)');
  });

  test.each<[string, ChartSpec, readonly (readonly [unknown, unknown])[]]>([
    [
      'NaN and infinities as bars',
      bar,
      [
        ['a', Number.NaN],
        ['b', Number.POSITIVE_INFINITY],
        ['c', Number.NEGATIVE_INFINITY],
        ['d', 1],
      ],
    ],
    [
      'NaN and infinities in a line',
      line,
      [
        ['2024-01', Number.NaN],
        ['2024-02', 3],
        ['2024-03', Number.POSITIVE_INFINITY],
        ['2024-04', 4],
      ],
    ],
    ['NULL alone', bar, [['a', null]]],
    ['NULL alone in a line', line, [['2024-01', null]]],
    ['one point', line, [['2024-01', 3]]],
    ['one dot', dots, [[1, 3]]],
    [
      'equal values',
      line,
      [
        ['2024-01', 3],
        ['2024-02', 3],
      ],
    ],
    [
      'zeros',
      bar,
      [
        ['a', 0],
        ['b', 0],
      ],
    ],
    [
      'the largest floats',
      bar,
      [
        ['a', Number.MAX_VALUE],
        ['b', -Number.MAX_VALUE],
        ['c', Number.MIN_VALUE],
      ],
    ],
    [
      'the largest floats as dots',
      dots,
      [
        [Number.MAX_VALUE, -Number.MAX_VALUE],
        [-Number.MAX_VALUE, Number.MAX_VALUE],
      ],
    ],
    [
      'the largest floats in a line',
      line,
      [
        [1, Number.MAX_VALUE],
        [2, -Number.MAX_VALUE],
        [3, 0],
      ],
    ],
    ['no row', bar, []],
    ['no row in a line', line, []],
  ])('%s', (_, spec, rows) => {
    const text = drawSvg(spec, resultOf('k, n:NUMERIC', rows as never));
    xmlOf(text);
    for (const [, data = ''] of text.matchAll(/ (?:d|x|y|x1|y1|x2|y2|width|height)="([^"]*)"/g))
      expect(data).not.toMatch(/NaN|Infinity|e[+-]?\d/);
  });

  test('a bar without a number says what its cell holds', () => {
    const texts = textsOf(
      draw(
        bar,
        resultOf('k, n:NUMERIC', [
          ['a', Number.NaN],
          ['b', null],
          ['c', 2],
        ]),
      ),
    );
    expect(texts).toEqual(expect.arrayContaining(['NaN', 'NULL', '2 bars have no number.']));
  });

  test('of a million points no peak is lost, and the picture stays small', () => {
    const result = resultOf(
      't:NUMERIC, n:NUMERIC',
      rowsOf(1_000_000, (at) => [at, at === 654_321 ? 5_000 : at % 1_000]),
    );
    const text = drawSvg(line, result);
    expect(text.length).toBeLessThan(200_000);
    const heights = [...(/ d="(M[^"]{1000,})"/.exec(text)?.[1] ?? '').matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) =>
      Number(y),
    );
    const sorted = [...new Set(heights)].sort((a, b) => a - b);
    // The peak is five times as high as all else.
    expect((sorted[1] ?? 0) - (sorted[0] ?? 0)).toBeGreaterThan(100);
  }, 60_000);

  describe('a million rows', () => {
    /** The lowest and the highest once each. */
    const height = (at: number): number => (at === 345_678 ? -7 : at === 654_321 ? 5_000 : at % 1_000);
    const moment = (at: number): string => new Date(at * 60_000).toISOString();

    test('of a time and a number', () => {
      const result = resultOf(
        't, n:NUMERIC',
        rowsOf(1_000_000, (at) => [moment(at), height(at)]),
      );
      const choice = chartOf(result);
      expect(choice).toMatchObject({ first: 'chart', rule: 'time-line' });
      const { attributes } = draw(choice.offered[0] ?? bar, result);
      expect(attributes['aria-label']).toContain(
        `Highest: 5,000 (${moment(654_321)}); lowest: -7 (${moment(345_678)})`,
      );
    }, 60_000);

    test('of two numbers', () => {
      const result = resultOf(
        'a:NUMERIC, b:NUMERIC',
        rowsOf(1_000_000, (at) => [(at * 7_919) % 100_003, height(at)]),
      );
      const choice = chartOf(result);
      expect(choice).toMatchObject({ first: 'table', rule: 'two-numbers', offered: [{ kind: 'scatter' }] });
      const text = drawSvg(choice.offered[0] ?? bar, result);
      expect(text.length).toBeLessThan(400_000);
      expect(text).toMatch(/1,000,000 dots.*Highest: 5,000 .*; lowest: -7 /);
      const counts = titlesOf(xmlOf(text)).map((title) => Number(title.replaceAll(',', '')));
      expect(counts.filter((count) => count > 0).reduce((sum, count) => sum + count)).toBe(1_000_000);
    }, 60_000);

    test('of 200,000 names', () => {
      const result = resultOf(
        'k, n:NUMERIC',
        rowsOf(1_000_000, (at) => [`k${at % 200_000}`, height(at)]),
      );
      expect(chartOf(result)).toMatchObject({ first: 'table', rule: 'repeated-labels', offered: [] });
      const svg = draw({ ...bar, sort: 'value', limit: 3 }, result);
      // The next largest come a thousand times.
      expect(barsOf(svg)).toHaveLength(1);
      expect(titlesOf(svg)).toContain('k54321: 5,000');
      expect(textsOf(svg)).toContain('999,999 smaller bars are not shown: these are the largest.');
    }, 60_000);
  });

  test('many dots are gathered', () => {
    const text = drawSvg(
      dots,
      resultOf(
        'a:NUMERIC, b:NUMERIC',
        rowsOf(100_000, (at) => [at % 317, at % 211]),
      ),
    );
    expect(text.length).toBeLessThan(400_000);
    expect(textsOf(xmlOf(text))).toContain('Dots are gathered in cells: the larger, the more rows.');
  });

  test('ten thousand categories, and a label of a megabyte', () => {
    const result = resultOf(
      'k, n',
      rowsOf(10_000, (at) => [at === 0 ? 'x'.repeat(1_000_000) : `k${at}`, at]),
    );
    const [top] = chartOf(result).offered;
    const svg = draw(top ?? bar, result);
    expect(barsOf(svg)).toHaveLength(20);
    expect(textsOf(svg)).toContain('9,980 smaller bars are not shown: these are the largest.');
    expect(drawSvg(bar, result).length).toBeLessThan(50_000);
  });
});
