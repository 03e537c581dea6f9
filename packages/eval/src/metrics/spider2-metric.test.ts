import type { Row } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OfficialRule } from '../datasets/read/dataset.ts';
import { inputOf } from './fixtures/metric-input.ts';
import { readPandasCsv } from './pandas-csv.ts';
import { scoreSpider2, spider2Metric, spider2StrictMetric } from './spider2-metric.ts';

type Rule = Extract<OfficialRule, { benchmark: 'spider2' }>;

function score(
  gold: string | readonly string[],
  answer: string,
  more: Partial<Rule> & { strict?: boolean } = {},
): number {
  const { strict, ...rule } = more;
  const files = typeof gold === 'string' ? [gold] : gold;
  const accepted = files.map((csv, position) => ({ file: `t_${position}.csv`, position, csv }));
  const whole: Rule = { benchmark: 'spider2', conditionColumns: [], ignoreOrder: true, files: files.length, ...rule };
  return scoreSpider2(accepted, whole, readPandasCsv(answer), { strict });
}

describe('scoreSpider2', () => {
  it('takes rows, columns and names in any form, and more columns than are asked for', () => {
    expect(score('a,b\n1,x\n2,y\n', 'q,z,b\n9,y,2\n8,x,1\n')).toBe(1);
    expect(score('a,b\n1,x\n2,y\n', 'a\n1\n2\n')).toBe(0);
    expect(score('a\n1\n1\n', 'a\n1\n')).toBe(0);
  });

  it.each([
    ['numbers within a hundredth', '10', '10.009', 1],
    ['numbers further apart', '10', '10.02', 0],
    ['large numbers by their size', '12345678901', '12345678911', 1],
    ['a gap and 0', '""', '0', 1],
    ['another form of a number', '1000', '1e3', 1],
    ['true and 1', 'True', '1', 1],
    ['separators', '1000', '"1,000"', 0],
    ['a percent sign', '10', '10%', 0],
    ['case', 'Todd', 'todd', 0],
    ['a blank at the end', 'Todd', 'Todd ', 0],
  ])('%s', (_name, gold, answer, expected) => {
    expect(score(`a\n${gold}\n`, `a\n${answer}\n`)).toBe(expected);
  });

  it('sorts by the text of a cell, so that near numbers can miss each other', () => {
    expect(score('a\n9.999\n50\n', 'a\n10.001\n50\n')).toBe(0);
    expect(score('a\n9.999\n50\n', 'a\n10.001\n50\n', { ignoreOrder: false })).toBe(1);
  });

  it('minds the order of rows where the task does', () => {
    expect(score('a\n2\n1\n', 'a\n1\n2\n', { ignoreOrder: false })).toBe(0);
    expect(score('a\n2\n1\n', 'a\n1\n2\n')).toBe(1);
  });

  it('counts the condition columns only, of all files or of each', () => {
    const golds = ['a,b\n1,x\n', 'a,b\n2,y\n'];
    expect(score(golds, 'q\ny\n', { conditionColumns: [1] })).toBe(1);
    expect(score(golds, 'q\ny\n', { conditionColumns: [0] })).toBe(0);
    expect(score(golds, 'q\ny\n', { conditionColumns: [[0], [1]] })).toBe(1);
    expect(score(golds, 'q\ny\n', { conditionColumns: [[]] })).toBe(0);
  });

  it('ends at a file whose condition columns are not there, as the evaluator fails on it', () => {
    const golds = ['a\n1\n', 'a\n2\n', 'a\n3\n'];
    expect(score(golds, 'a\n3\n', { conditionColumns: [[0], [7], [0]] })).toBe(0);
    expect(score(golds, 'a\n1\n', { conditionColumns: [[0], [7], [0]] })).toBe(1);
    expect(score(golds, 'a\n3\n', { conditionColumns: [[0], [0]] })).toBe(0);
  });

  it('takes one column of the answer for several of gold; strict does not', () => {
    expect(score('a,b\n1,1\n2,2\n', 'a\n1\n2\n')).toBe(1);
    expect(score('a,b\n1,1\n2,2\n', 'a\n1\n2\n', { strict: true })).toBe(0);
  });

  it('loses the association in rows; strict keeps it', () => {
    const crossed = 'name,n\nAnn,2\nBob,1\n';
    expect(score('name,n\nAnn,1\nBob,2\n', crossed)).toBe(1);
    expect(score('name,n\nAnn,1\nBob,2\n', crossed, { strict: true })).toBe(0);
    expect(score('name,n\nAnn,1\nBob,2\n', 'k,n,name\n0,2,Bob\n0,1,Ann\n', { strict: true })).toBe(1);
    expect(score('a,b\n1,1\n1,2\n2,1\n', 'x,y,z\n1,1,1\n1,2,2\n2,2,1\n', { strict: true })).toBe(1);
  });

  it('ends soon where gold has one more of many equal columns than the answer', () => {
    const equal = (count: number): string => {
      const row = Array.from({ length: count }, () => '1').join(',');
      return `${row}\n${row}\n${row}\n`;
    };
    expect(score(equal(14), equal(13))).toBe(1);
    expect(score(equal(14), equal(13), { strict: true })).toBe(0);
    expect(score(equal(13), equal(14), { strict: true })).toBe(1);
  });

  it('never finds right under strict what is wrong without, and finds any shuffle of gold right', () => {
    const cell = fc.constantFrom('1', '2', '1.5', 'x', '', 'True');
    const table = fc
      .integer({ min: 1, max: 3 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }),
      );
    const csv = (rows: readonly (readonly string[])[]): string =>
      [rows[0]?.map((_, at) => `c${at}`), ...rows].map((row) => row?.map((one) => `"${one}"`).join(',')).join('\n');
    fc.assert(
      fc.property(table, table, fc.nat(), (gold, other, turn) => {
        expect(score(csv(gold), csv(other), { strict: true })).toBeLessThanOrEqual(score(csv(gold), csv(other)));
        const shuffled = gold.map((_, at) => [...(gold[(at + turn) % gold.length] ?? [])].reverse());
        expect(score(csv(gold), csv(shuffled), { strict: true })).toBe(1);
      }),
    );
  });
});

describe('spider2Metric', () => {
  const official: Rule = { benchmark: 'spider2', conditionColumns: [], ignoreOrder: true, files: 1 };
  const goldResults = [{ file: 't.csv', position: 0, csv: 'day,total\n2020-01-01,1.50\n2020-01-02,\n' }];
  const rows: Row[] = [
    ['2020-01-02', null],
    ['2020-01-01', 1.5],
  ];

  it('scores a result of a database against the accepted files', () => {
    expect(spider2Metric.score(inputOf({ question: { official, goldResults }, rows }))).toBe(1);
    expect(
      spider2StrictMetric.score(
        inputOf({
          question: { official, goldResults },
          rows: [
            ['2020-01-01', null],
            ['2020-01-02', 1.5],
          ],
        }),
      ),
    ).toBe(0);
    expect(spider2Metric.score(inputOf({ question: { official, goldResults } }))).toBe(0);
  });

  it('does not apply without a rule or without a file', () => {
    expect(spider2Metric.score(inputOf({ question: {}, rows }))).toBeUndefined();
    expect(spider2Metric.score(inputOf({ question: { official, goldResults: [] }, rows }))).toBeUndefined();
  });
});
