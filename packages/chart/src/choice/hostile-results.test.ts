import type { QueryResult, ResultColumn, Row } from '@askema/core';
import { describe, expect, test } from 'vitest';
import { describeChart } from '../describe/describe-chart.ts';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { drawSvg } from '../svg/draw-svg.ts';
import { drawText } from '../terminal/draw-text.ts';
import { rowsOf } from '../test-support/results.ts';
import { xmlOf } from '../test-support/xml.ts';
import { chartOf } from './chart-of.ts';

type Result = Pick<QueryResult, 'columns' | 'rows'>;

const column = (name: string, type: ResultColumn['type']): ResultColumn => ({ name, nativeType: '', type });
const text = (name: string): ResultColumn => column(name, 'TEXT');
const number = (name: string): ResultColumn => column(name, 'NUMERIC');
const pairs = (...rows: readonly Row[]): Result => ({ columns: [text('k'), number('n')], rows });

/** As text, as XML and in words: all that a person or a page is given of it. */
function drawn(spec: ChartSpec | undefined, result: Result): { lines: string; svg: string; words: string } {
  if (spec === undefined) throw new Error('Nothing is offered.');
  const [lines, svg] = [drawText(spec, result), drawSvg(spec, result)];
  xmlOf(svg);
  expect(svg).not.toMatch(/ (?:d|x|y|x1|y1|x2|y2|width|height)="[^"]*(?:NaN|Infinity)/);
  expect(lines.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  return { lines, svg, words: describeChart(spec, result) };
}

describe('numbers that no float holds', () => {
  test('keep all digits of 2^63 and 2^64', () => {
    const result = pairs(['a', 9223372036854775807n], ['b', '9223372036854775808'], ['c', -9223372036854775808n]);
    const { spec } = chartOf(result);
    const { lines, svg, words } = drawn(spec, result);
    expect(lines).toContain('c █████');
    expect(svg).toContain('a: 9,223,372,036,854,775,807<');
    expect(words).toContain('Highest: 9,223,372,036,854,775,808 (b); lowest: -9,223,372,036,854,775,808 (c).');
  });

  test('keep all digits of 40', () => {
    const result = pairs(
      ['a', '1234567890123456789012345678901234567890.5'],
      ['b', `0.${'0'.repeat(39)}1`],
      ['c', '1234567890123456789012345678901234567890.4'],
    );
    const { lines, svg } = drawn(chartOf(result).spec, result);
    expect(lines).toContain('b │ 1E-40\n');
    expect(svg).toContain('c: 1,234,567,890,123,456,789,012,345,678,901,234,567,890.4<');
    expect(svg).toContain(`b: 0.${'0'.repeat(39)}1<`);
  });
});

describe('names of columns', () => {
  test('empty ones are said', () => {
    const result = { ...pairs(['a', 1], ['b', 2]), columns: [text(''), number('')] };
    const { lines, words } = drawn(chartOf(result).spec, result);
    expect(lines).toContain('(empty)');
    expect(words).toBe('Bars of (empty) for 2 (empty). Highest: 2 (b); lowest: 1 (a).');
  });

  test('equal ones are two columns', () => {
    const result = {
      columns: [text('n'), number('n'), number('n')],
      rows: [['a', 1, 3] as const, ['b', 2, 40] as const],
    };
    const { spec } = chartOf(result);
    expect(spec).toMatchObject({ x: [0], y: [1, 2] });
    const { lines, words } = drawn(spec, result);
    expect(lines.match(/^[n ] n$/gm)).toHaveLength(2);
    expect(words).toContain('Highest of n: 2 (b); lowest: 1 (a). Highest of n: 40 (b); lowest: 3 (a).');
  });

  test('those of a megabyte and of terminals stay short', () => {
    const name = `\u001b[2J\u202e${'x'.repeat(1_000_000)}_id`;
    const { reason } = chartOf({ columns: [number(name)], rows: rowsOf(3, (at) => [at]) });
    expect(reason).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(reason).toMatch(/^No column measures anything: ".{1,120}" is an identifier\.$/);
  });
});

describe('500 columns', () => {
  test.each([
    ['of numbers', [text('k'), ...rowsOf(499, () => []).map((_, at) => number(`c${at}`))], { x: [0], y: [1, 2, 3, 4] }],
    ['of texts', [...rowsOf(499, () => []).map((_, at) => text(`c${at}`)), number('n')], { x: [0, 1, 2], y: [499] }],
  ])('%s: the table is first, and what is missing is said shortly', (_, columns, channels) => {
    const rows = rowsOf(12, (at) =>
      columns.map(({ type }, index) => (type === 'TEXT' ? `v${at * (index + 1)}` : at * (index + 1))),
    );
    const result = { columns, rows };
    const choice = chartOf(result);
    expect(choice).toMatchObject({ first: 'table', rule: 'column-left-out', offered: [channels] });
    expect(choice.reason).toMatch(/leaves out the columns "c\d", .* and 4\d\d more\./);
    expect(choice.reason.length).toBeLessThan(300);
    drawn(choice.offered[0], result);
  });
});

describe('dates', () => {
  test('of the first and the last year stand on one line', () => {
    const result = pairs(['0001-01-01', 1], ['2024-01-01', 3], ['9999-12-31', 2]);
    const { spec } = chartOf(result);
    expect(spec?.kind).toBe('line');
    expect(drawn(spec, result).words).toContain('from 0001-01-01 to 9999-12-31');
  });

  test('that no calendar has are names', () => {
    const result = pairs(['0000-00-00', 1], ['2024-02-30', 3], ['99999-01-01', 2], ['infinity', 4]);
    const { spec } = chartOf(result);
    expect(spec?.kind).toBe('bar');
    expect(drawn(spec, result).lines).toMatch(/0000-00-00 │.*\n.*2024-02-30 │.*\n.*99999-01-01 │.*\n.*infinity │/);
  });
});

describe('few points', () => {
  const line: ChartSpec = { kind: 'line', x: [0], y: [1], sort: 'x', format: 'plain', title: 'T' };
  const specs = [line, { ...line, kind: 'scatter' as const }, { ...line, kind: 'bar' as const }];

  test.each(specs)('$kind: none', (spec) => {
    expect(chartOf(pairs())).toMatchObject({ first: 'table', rule: 'no-rows', offered: [] });
    expect(drawn(spec, pairs()).lines).not.toMatch(/[●█]|undefined|NaN/);
  });

  test.each(specs)('$kind: one', (spec) => {
    const result = pairs(['2024-01', 3]);
    expect(chartOf(result)).toMatchObject({ first: 'table', rule: 'one-row', offered: [] });
    const { lines, words } = drawn(spec, result);
    expect(lines).toMatch(/[●█]/);
    expect(words).toContain('The one value: 3 (2024-01).');
  });

  test.each(specs)('$kind: no finite number', (spec) => {
    const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const result = pairs(...values.map((value, at) => [`2024-0${at + 1}`, value]));
    const { lines, words } = drawn(spec, result);
    expect(lines).not.toMatch(/[●█]/);
    expect(lines).toMatch(/3 (?:values are not shown: NULL or no finite number|bars have no number)\.\n$/);
    expect(words).toContain('No value can be shown.');
  });
});

test('markup is text on a terminal, and right-to-left names keep to themselves in words', () => {
  const result = pairs(['<script>alert(1)</script>', 1], ['שלום', 2], ['\u202eevil', 3]);
  const { lines, svg, words } = drawn(chartOf(result).spec, result);
  expect(lines).toMatch(/<script>alert\(1\)<.*│/);
  expect(lines).toContain('\\u{202e}evil');
  expect(svg).not.toContain('<script');
  expect(words).toBe('Bars of n for 3 k. Highest: 3 (\\u{202e}evil); lowest: 1 (<script>alert(1)</script>).');
});
