import { describe, expect, test } from 'vitest';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { barsOf, draw, textsOf, titlesOf } from '../test-support/pictures.ts';
import { monthOf, resultOf, rowsOf } from '../test-support/results.ts';
import { bar, line } from '../test-support/specs.ts';
import { elementsOf, type XmlElement, xmlOf } from '../test-support/xml.ts';
import { type DrawSvgOptions, drawSvg } from './draw-svg.ts';

const numberOf = (element: XmlElement | undefined, name: string): number => Number(element?.attributes[name]);

describe('what is drawn', () => {
  test('bars from zero, as long as their numbers', () => {
    const svg = draw(
      bar,
      resultOf('country, n', [
        ['a', 1000],
        ['b', 1010],
        ['c', 500],
      ]),
    );
    const widths = barsOf(svg).map((each) => numberOf(each, 'width'));
    expect((widths[1] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(1.01, 2);
    expect((widths[2] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(0.5, 2);
  });

  test('negative bars to the other side of zero', () => {
    const [up, down] = barsOf(
      draw(
        bar,
        resultOf('k, n', [
          ['a', 30],
          ['b', -10],
        ]),
      ),
    );
    expect(numberOf(down, 'x') + numberOf(down, 'width')).toBeCloseTo(numberOf(up, 'x'), 1);
    expect(numberOf(up, 'width') / numberOf(down, 'width')).toBeCloseTo(3, 1);
  });

  test('stacked parts one behind the other', () => {
    const rows = [
      ['a', 'x', 2],
      ['a', 'y', 4],
    ] as const;
    const [first, second] = barsOf(
      draw({ ...bar, x: [0], y: [2], series: 1, layout: 'stacked' }, resultOf('k, s, n', rows)),
    );
    expect(numberOf(second, 'x')).toBeCloseTo(numberOf(first, 'x') + numberOf(first, 'width'), 1);
    expect(numberOf(second, 'width') / numberOf(first, 'width')).toBeCloseTo(2, 1);
  });

  test('equal values of several lines around each other, and the note counts those below', () => {
    const rows = ['a', 'b', 'c'].flatMap((name, at) => [0, 1, 2].map((x) => [monthOf(x), name, x === 0 ? 1 : x + at]));
    const svg = draw({ ...line, y: [2], series: 1 }, resultOf('month, s, n', rows), { theme: 'monochrome' });
    const marks = elementsOf(svg, 'path').filter(({ children }) => children.some(({ name }) => name === 'title'));
    const first = marks.filter((each) => titlesOf(each).join().startsWith('2024-01'));
    expect(first.map((each) => each.attributes.fill)).toEqual(['#ffffff', '#ffffff', '#1a1a1a']);
    expect(first.map((each) => each.attributes.d?.match(/[aVvH].*?z/)?.[0])).toEqual([
      'a8 8 0 1 0 16 0a8 8 0 1 0 -16 0z',
      'v11h-11z',
      expect.any(String),
    ]);
    expect(marks.filter((each) => each.attributes.fill === '#ffffff')).toHaveLength(2);
    expect(textsOf(svg)).toContain('2 values lie under equal ones of other series.');
  });

  test('a line that is broken where a month is missing', () => {
    const months = [0, 1, 2, 4, 5].map((at) => [monthOf(at), at]);
    const paths = elementsOf(draw(line, resultOf('month, n', months)), 'path').filter(
      ({ attributes }) => attributes.fill === 'none',
    );
    expect(paths.map(({ attributes }) => attributes.d?.match(/[ML]/g)?.length)).toEqual([3, 2]);
  });

  test('exact digits of big integers and decimals in titles', () => {
    const svg = draw(
      bar,
      resultOf('k, n:NUMERIC', [
        ['a', 9007199254740993n],
        ['b', '12345678901234567890.123456789'],
      ]),
    );
    expect(titlesOf(svg)).toEqual(
      expect.arrayContaining(['a: 9,007,199,254,740,993', 'b: 12,345,678,901,234,567,890.123456789']),
    );
  });

  test('what is left out, below it and in its description', () => {
    const svg = draw(
      { ...bar, limit: 3 },
      resultOf(
        'k, n',
        rowsOf(10, (at) => [`k${at}`, at]),
        'rows',
      ),
    );
    expect(textsOf(svg)).toEqual(
      expect.arrayContaining([
        '7 more bars are not shown: these come first.',
        'The result was cut off: this is a part of it.',
      ]),
    );
    expect(svg.attributes['aria-label']).toContain('7 more bars');
    expect(elementsOf(svg, 'desc')[0]?.text).toContain('the first 3 of 10 k. Highest: 9 (k9); lowest: 0 (k0).');
  });
});

describe('what would be read wrongly', () => {
  const films = resultOf('title, n', [
    ['The Case of the Mystery Mansion, first part', 9],
    ['The Case of the Mystery Mansion, second part', 8],
    ['The Case of the Mystery Mansion, last part', 7],
  ]);
  test.each([320, 640])('names that begin alike stay different at %i pixels', (width) => {
    const shown = textsOf(draw(bar, films, { width })).filter((text) => /part$|…/.test(text));
    expect(new Set(shown).size).toBe(3);
    const upright = textsOf(draw({ ...bar, sort: 'x' }, films, { width })).filter((text) => text.includes('…'));
    expect(new Set(upright).size).toBe(3);
  });

  const spans = (names: string, most: number): XmlElement =>
    draw(
      { ...bar, y: [1, 2] },
      resultOf(`country, ${names}`, [
        ['a', 20, most],
        ['b', 10, most / 2],
      ]),
    );
  const own = 'Each panel has a scale of its own: compare within one only.';
  test('panels of one unit have one scale, others say that they have not', () => {
    const [small, , large] = barsOf(spans('lowest, highest', 2_000)).map((each) => numberOf(each, 'width'));
    expect((large ?? 0) / (small ?? 1)).toBeGreaterThan(50);
    expect(textsOf(spans('lowest, highest', 2_000))).not.toContain(own);
    expect(textsOf(spans('orders, revenue', 2_000))).toContain(own);
    expect(textsOf(spans('orders, revenue', 60))).not.toContain(own);
  });

  test('a step without a row is an empty place', () => {
    const result = resultOf('month, n', [
      ['01', 3],
      ['02', 3],
      ['05', 3],
    ]);
    const svg = draw({ ...bar, sort: 'x' }, result);
    const [first = 0, second = 0, third = 0] = barsOf(svg).map((each) => numberOf(each, 'x'));
    expect((third - second) / (second - first)).toBeCloseTo(3, 1);
    expect(textsOf(svg)).toContain('2 empty places: steps without a row.');
  });

  test('a long title and long notes are whole at the least width', () => {
    const title = 'Which of the forms of government have a total population, and a life expectancy of more than 72?';
    const svg = draw({ ...bar, title, limit: 1 }, films, { width: 200 });
    expect(textsOf(svg).join(' ')).toContain(title);
    expect(textsOf(svg).join(' ')).toContain('2 more bars are not shown: these come first.');
  });

  test('numbers as names have the name of their column', () => {
    expect(
      textsOf(
        draw(
          bar,
          resultOf('newsletter, n', [
            [0, 3],
            [1, 4],
          ]),
        ),
      ),
    ).toContain('newsletter');
  });
});

describe('for everybody', () => {
  const rows = rowsOf(12, (at) => [`k${Math.floor(at / 3)}`, `s${at % 3}`, at + 1]);
  const spec: ChartSpec = { ...bar, y: [2], series: 1, layout: 'stacked' };

  test('an image with a name and a description', () => {
    const svg = draw(
      bar,
      resultOf('k, n', [
        ['a', 1],
        ['b', 2],
      ]),
    );
    expect(svg.attributes).toMatchObject({
      role: 'img',
      'aria-label': expect.stringMatching(/^Orders\. Bars of n for 2 k\./),
    });
    expect(titlesOf(svg)[0]).toBe('Orders');
  });

  test('monochrome has no colour, and each series a pattern of its own', () => {
    const svg = drawSvg(spec, resultOf('k, s, n', rows), { theme: 'monochrome' });
    for (const [, red, green, blue] of svg.matchAll(/#([\da-f]{2})([\da-f]{2})([\da-f]{2})/g))
      expect([green, blue]).toEqual([red, red]);
    const fills = new Set(barsOf(xmlOf(svg)).map(({ attributes }) => attributes.fill));
    expect(fills.size).toBe(3);
    for (const fill of fills) if (fill?.startsWith('url')) expect(svg).toContain(`id="${fill.slice(5, -1)}"`);
  });

  test('monochrome lines differ by dashes and markers', () => {
    const months = rowsOf(12, (at) => [monthOf(at % 4), `s${Math.floor(at / 4)}`, at]);
    const svg = draw({ ...line, y: [2], series: 1 }, resultOf('month, s, n', months), { theme: 'monochrome' });
    const lines = elementsOf(svg, 'path').filter(
      ({ attributes }) => attributes.fill === 'none' && attributes['stroke-width'] === '2',
    );
    expect(new Set(lines.map(({ attributes }) => attributes['stroke-dasharray'])).size).toBe(3);
  });

  test('from right to left it is the mirror image, in the digits of the language', () => {
    const result = resultOf('k, n', [
      ['مصر', 30],
      ['السعودية', 10],
    ]);
    const [left, right] = [draw(bar, result), draw(bar, result, { direction: 'rtl', locale: 'ar-EG' })];
    const [one, other] = [barsOf(left)[0], barsOf(right)[0]];
    expect(numberOf(other, 'x') + numberOf(other, 'width')).toBeGreaterThan(320);
    expect(numberOf(one, 'x')).toBeLessThan(320);
    expect(textsOf(right).join()).toContain('٣٠');
  });

  test('the same bytes for the same input', () => {
    const result = resultOf('k, s, n', rows);
    expect(drawSvg(spec, result)).toBe(drawSvg(structuredClone(spec), structuredClone(result)));
  });

  test('labels below upright bars are turned before they touch', () => {
    const svg = draw(
      { ...bar, sort: 'x' },
      resultOf(
        'month, n',
        rowsOf(24, (at) => [monthOf(at), at]),
      ),
    );
    expect(elementsOf(svg, 'text').filter(({ attributes }) => attributes.transform?.startsWith('rotate'))).toHaveLength(
      24,
    );
  });
});

describe('options', () => {
  const result = resultOf('k, n', [
    ['a', 1],
    ['b', 2],
  ]);
  test.each<[DrawSvgOptions, RegExp]>([
    [{ width: 10 }, /drawSvg\.width.*200 to 4000/],
    [{ height: 1e9 }, /drawSvg\.height/],
    [{ theme: 'colour' as never }, /Did you mean `color`/],
    [{ direction: 'left' as never }, /'ltr' or 'rtl'/],
    [{ locale: 'not a tag' }, /`locale` is "not a tag"/],
  ])('%j', (options, message) => {
    expect(() => drawSvg(bar, result, options)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }),
    );
  });

  test('bars that find no place in the height are counted', () => {
    const svg = draw(
      bar,
      resultOf(
        'k, n',
        rowsOf(30, (at) => [`k${at}`, at]),
      ),
      { height: 240 },
    );
    const drawn = barsOf(svg).length;
    expect(drawn).toBeLessThan(15);
    expect(textsOf(svg)).toContain(`${30 - drawn} more bars are not shown: these come first.`);
  });
});
