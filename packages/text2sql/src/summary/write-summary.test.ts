import type { ResultColumn, Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import type { CitedPart } from './fill-mark.ts';
import { writeSummary } from './write-summary.ts';

/** Of this process: others may use the machine meanwhile. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const column = (name: string, type: ResultColumn['type']): ResultColumn => ({ name, nativeType: '', type });
const part = (rows: readonly Row[], more: Partial<CitedPart> = {}): CitedPart => ({
  result: { columns: [column('country', 'TEXT'), column('orders', 'NUMERIC'), column('note', 'TEXT')], rows },
  shown: rows.length,
  ...more,
});
const ROWS = [
  ['Italy', 120, 'stable'],
  ['France', '80.50', '5'],
  ['Spain', 9_007_199_254_740_993n, null],
  ['Malta', 0, ''],
] as const;
const ASKED = ['Which of the top 10 countries had the most orders in 2023?', 'How many did half of Q3 have?'];
const write = (text: string, parts: readonly CitedPart[] = [part(ROWS)]) => writeSummary(text, parts, ASKED);
const textOf = (text: string, parts?: readonly CitedPart[]) => write(text, parts).summary?.text;

describe('marks', () => {
  it.each([
    ['[[1:1:1]] had [[1:1:2]] orders.', 'Italy had 120 orders.'],
    ['[[ 1 : 2 : 1 ]] had [[1:2:orders]].', 'France had 80.50.'],
    ['Spain had [[1:3:2]].', 'Spain had 9007199254740993.'],
    ['"[[1:1:1]]" is first, not «[[1:2:1]]».', '"Italy" is first, not «France».'],
    ['There are [[rows 1]] countries.', 'There are 4 countries.'],
    ['The difference is [[1:1:2 - 1:2:2]].', 'The difference is +39.50.'],
    ['The difference is [[1:2:2 − 1:1:2]].', 'The difference is -39.50.'],
    ['[[1:3:2 - 1:1:2]] more.', '9007199254740873 more.'],
    ['Italy had [[1:1:2 / 1:2:2]] times as many.', 'Italy had 1.5 times as many.'],
    ['That is a change of [[1:2:2 % 1:1:2]].', 'That is a change of -32.9%.'],
    ['Orders grew by [[1:1:2 % 1:2:2]]% over the year.', 'Orders grew by 49.1% over the year.'],
    ['In 2023, for the top 10 and half of Q3, "Italy" and "most orders": all is well.', undefined],
  ])('%s', (text, expected) => {
    expect(textOf(text)).toBe(expected ?? text);
  });

  it('are cited where they stand', () => {
    const { summary } = write('[[1:1:1]] rose by [[1:1:2 - 1:2:2]] in [[rows 1]].');
    const cited = summary?.citations.map(({ start, end, kind, cells }) => [
      summary.text.slice(start, end),
      kind,
      cells,
    ]);
    expect(cited).toEqual([
      ['Italy', 'cell', [{ part: 0, row: 0, column: 0 }]],
      [
        '39.50',
        'difference',
        [
          { part: 0, row: 0, column: 1 },
          { part: 0, row: 1, column: 1 },
        ],
      ],
      ['4', 'rows', []],
    ]);
  });

  it.each([
    ['a row that is not there', '[[1:5:1]] is first.', /nothing that was shown/],
    ['row 0', '[[1:0:1]] is first.', /nothing/],
    ['a part that is not there', '[[2:1:1]] is first, of [[rows 7]].', /nothing.*nothing/],
    ['a column that is not there', '[[1:1:9]] or [[1:1:total]].', /1:1:9.*1:1:total/],
    ['NULL', 'The note is [[1:3:3]].', /NULL/],
    ['an empty text', 'The note is [[1:4:3]].', /empty/],
    ['no number', 'Up [[1:1:1 - 1:2:1]].', /two numbers/],
    ['a text of digits', 'It is [[1:1:2 - 1:2:3]].', /two numbers/],
    ['a division by 0', 'It is [[1:1:2 / 1:4:2]] or [[1:1:2 % 1:4:2]].', /divide by 0.*divide by 0/],
    ['another form', 'It is [[1:1:2 + 1:2:2]] or [[sum 1]] or [[ ]].', /no mark/],
    ['brackets left open', 'It is [[1:1:2.', /brackets/],
  ])('that hold %s are refused', (_what, text, reason) => {
    expect(write(text).refused?.join('; ')).toMatch(reason);
  });

  it('are not filled with rows that were not shown, nor counted where the result was cut', () => {
    expect(textOf('[[1:2:1]].', [part(ROWS, { shown: 1 })])).toBeUndefined();
    expect(textOf('[[rows 1]].', [part(ROWS, { shown: 1 })])).toBe('4.');
    const { columns } = part(ROWS).result;
    const cut = { result: { columns, rows: ROWS, truncated: 'rows' as const }, shown: 4 };
    expect(write('[[rows 1]].', [cut]).refused?.join()).toMatch(/cut/);
    expect(
      textOf('[[1:1:2 % 1:2:2]].', [
        part([
          ['a', 5, ''],
          ['b', -10, ''],
        ]),
      ]),
    ).toBeUndefined();
  });
});

describe('what stands outside of marks', () => {
  it.each([
    ['Italy had 120 orders.', '"120"'],
    ['Italy had 120, France 2,023.', '"2,023"'],
    ['In 2024 it was so.', '"2024"'],
    ['It is 10% of all.', '"10%"'],
    ['It rose 10 times.', '"10 times"'],
    ['It is 10k.', '"10k"'],
    ['It is 10.5.', '"10.5"'],
    ['It is .10 of all.', '".10"'],
    ['It is ½ of all.', '"½"'],
    ['It is ٥.', '"٥"'],
    ['It is 1\u200b20.', '"120"'],
    ['Seven countries have a dozen orders.', '"seven".*"dozen"'],
    ['It has t\u00adwo.', '"two"'],
    ['Orders doubled, then tripled, threefold.', '"doubled".*"tripled".*"threefold"'],
    ['Twenty-five thousand orders.', '"twenty".*"five".*"thousand"'],
    ['A third of them, and one quarter.', '"a third".*"one quarter"'],
    ['It says "buy now".', 'buy now'],
    ["It says “buy now” and 'sell' and «hold».", 'buy now.*sell.*hold'],
    ['It says "[[1:1:1]] is bad".', 'is bad'],
    ['See https://x.example/.', 'link'],
    ['See evil.example today.', 'link'],
    ['<b>Italy</b> is first.', 'markup'],
    ['[Italy](x) is first.', 'markup'],
    ['It is `Italy`, **truly**.', 'markup'],
    ['*Italy* is ~~not~~ first.', 'markup'],
    ['&lt;b&gt; is first.', 'markup'],
    ['See [[1:1:1]].example today.', 'link'],
    ['It has t\u034fwo.', '"two"'],
    ['It has 𝐭𝐰𝐨, ｔｅｎ, ⓢⓘⓧ.', '"two".*"ten".*"six"'],
    ['It is 🔟.', '"🔟"'],
    ['It is 20\u034f23 or 1\u03010.', '1.*0'],
    ['It is -10 or −10 or − 10.', '"-10"'],
    ['A fifth of them, one tenth of a lakh.', '"a fifth".*"one tenth".*"lakh"'],
    [`It says "${'x'.repeat(400)}".`, 'stands in quotes'],
    ['It says ‹buy› or 『sell』 or ＂hold＂.', 'buy.*sell.*hold'],
    ['It says "buy now.', 'stands alone'],
    ['  \n', 'no text'],
  ])('%j is refused', (text, reason) => {
    expect(write(text).refused?.join('; ')).toMatch(new RegExp(reason, 'i'));
  });

  it.each([
    'In the third quarter of the year the first of them stayed as it was.',
    "The customers' orders and Ann's were one and the same.",
    'The note says "stable".',
    'In 2023 - the top 10 of them - R&D; all is well.',
  ])('%j is taken', (text) => {
    expect(textOf(text)).toBe(text);
  });

  it.each([
    ['a sign', 'It is -[[1:1:2]].'],
    ['a point', 'It is [[1:1:2]].[[1:2:2]].'],
    ['another mark', 'It is [[1:1:2]][[1:2:2]].'],
    ['a letter', 'It is [[1:1:2]]k.'],
    ['a scale', 'It is [[1:1:2]] million.'],
    ['a share', 'It is half [[1:1:2]].'],
    ['a percent sign', 'It is [[1:1:2 / 1:2:2]]% of it.'],
    ['a percent sign of another script', 'It is [[1:1:2 / 1:2:2]]٪ of it.'],
    ['a percent sign at a count', 'It is [[rows 1]]% of it.'],
    ['a percent sign at a difference', 'It rose by [[1:1:2 - 1:2:2]]%.'],
    ['a sign of another form', 'It is －[[1:1:2]].'],
    ['a minus with a space', 'It is − [[1:1:2]].'],
    ['a sign before digits of a text', 'It is -[[1:2:3]].'],
    ['digits of a text', 'It is [[1:2:3]][[1:1:2]].'],
    ['a group of digits', 'It is [[1:2:3]] [[1:1:2]].'],
    ['digits of a question before it', 'It is 10[[1:1:2]].'],
    ['digits of a question behind it', 'It is [[1:1:2]].10.'],
  ])('%s beside a mark makes no other number of it', (_what, text) => {
    expect(write(text).refused).toBeDefined();
    expect(writeSummary(text, [part(ROWS)], ['Are half of a million k 10?']).refused).toBeDefined();
  });
});

describe('a word for a direction beside a difference or a change', () => {
  it.each([
    ['France fell by [[1:2:2 - 1:1:2]].', 'France fell by 39.50.'],
    ['France is lower by [[1:2:2 - 1:1:2]].', 'France is lower by 39.50.'],
    ['France is lower by [[1:1:2 - 1:2:2]].', undefined],
    ['France is [[1:2:2 % 1:1:2]] lower.', 'France is 32.9% lower.'],
    ['Italy is [[1:1:2 - 1:2:2]] higher.', 'Italy is 39.50 higher.'],
    ['a drop of [[1:2:2 - 1:1:2]].', 'a drop of 39.50.'],
    ['France rose by [[1:2:2 - 1:1:2]].', undefined],
    ['Italy fell [[1:1:2 % 1:2:2]].', undefined],
    ['It has [[1:1:2 - 1:2:2]] fewer.', undefined],
    ['It rose by [[1:1:2 - 1:1:2]].', undefined],
    ['It is not new, there is no doubt: France rose by [[1:2:2 - 1:1:2]].', undefined],
    ['Italy not only fell by [[1:1:2 - 1:2:2]].', undefined],
    ['Italy fell sharply by about [[1:1:2 - 1:2:2]].', undefined],
    ['Italy plunged by [[1:1:2 % 1:2:2]].', undefined],
    ['France fell sharply by about [[1:2:2 - 1:1:2]].', 'France fell sharply by about 39.50.'],
    ['France did not rise by [[1:2:2 - 1:1:2]].', 'France did not rise by -39.50.'],
    ['Italy was [[1:1:2 % 1:2:2]] compared with France.', 'Italy was +49.1% compared with France.'],
    ['It stayed: [[1:1:2 - 1:1:2]], [[1:1:2 % 1:1:2]].', 'It stayed: 0, 0.0%.'],
    ['It fell by [[1:2:2 - 1:1:2]], or [[1:2:2 % 1:1:2]].', 'It fell by 39.50, or 32.9%.'],
    ['It grew by [[1:1:2 - 1:2:2]] ([[1:1:2 % 1:2:2]]).', 'It grew by 39.50 (49.1%).'],
    [
      'It fell by [[1:2:2 - 1:1:2]] in May and [[1:2:2 - 1:1:2]] in June.',
      'It fell by 39.50 in May and 39.50 in June.',
    ],
    ['It fell in March by [[1:2:2 % 1:1:2]].', 'It fell in March by 32.9%.'],
    ['It fell from [[1:1:2]] to [[1:2:1]] by [[1:2:2 - 1:1:2]].', 'It fell from 120 to France by 39.50.'],
    ['It fell by [[1:1:2 - 1:2:2]], or [[1:1:2 % 1:2:2]].', undefined],
    ['It fell by [[1:2:2 - 1:1:2]], or [[1:1:2 % 1:2:2]].', undefined],
    ['It fell in March by [[1:1:2 % 1:2:2]].', undefined],
    ['It did not fall in May by [[1:2:2 - 1:1:2]].', 'It did not fall in May by -39.50.'],
    ['It fell, and the change was [[1:2:2 - 1:1:2]].', 'It fell, and the change was -39.50.'],
    ['Some fell in May and moved by [[1:2:2 - 1:1:2]].', 'Some fell in May and moved by -39.50.'],
    ['Some fell in shops whose sales moved by [[1:1:2 - 1:2:2]].', 'Some fell in shops whose sales moved by +39.50.'],
    ['It fell in May. Sales moved by [[1:1:2 - 1:2:2]].', 'It fell in May. Sales moved by +39.50.'],
    ['It fell by [[1:2:2 - 1:1:2]] and [[1:2:2 - 1:1:2]] was lost.', 'It fell by 39.50 and -39.50 was lost.'],
    ['Broken down in May by [[1:2:2 - 1:1:2]].', 'Broken down in May by -39.50.'],
    [
      'It fell by [[1:2:2 - 1:1:2]], and sales moved by [[1:2:2 - 1:1:2]].',
      'It fell by 39.50, and sales moved by -39.50.',
    ],
  ])('%s', (text, expected) => {
    expect(textOf(text)).toBe(expected);
  });
});

describe('hostile text', () => {
  it('of any length is refused at once, with few reasons', () => {
    for (const text of ['[[1:1:1]] '.repeat(50_000), '"'.repeat(100_000), '[['.repeat(100_000), 'a'.repeat(1_000_000)])
      expect(write(text).refused).toEqual([expect.stringContaining('longer')]);
    expect(write('[[9:9:9]] '.repeat(100)).refused?.length).toBeLessThan(10);
    const wide = part([Array.from({ length: 30 }, (_, at) => `cell ${at}`)]);
    const columns = Array.from({ length: 30 }, (_, at) => column(`c${at}`, 'TEXT'));
    const shown = { ...wide, result: { ...wide.result, columns } };
    expect(textOf('[[1:1:20]].', [shown])).toBe('cell 19.');
    expect(textOf('[[1:1:21]] or [[1:1:c25]].', [shown])).toBeUndefined();
  });

  it('of a question and of cells takes no time', () => {
    const cells = part(Array.from({ length: 40 }, () => ['a'.repeat(1_000_000), 1, '"'.repeat(10_000)]));
    const questions = ['a'.repeat(20_000), '1.'.repeat(10_000), '"'.repeat(20_000)];
    const started = processorMs();
    writeSummary('"x" and [[1:1:1]].', [cells], questions);
    expect(processorMs() - started).toBeLessThan(500);
  });
});

it('a number that is too long to be shown whole is not shown in part', () => {
  expect(write('[[1:1:2]].', [part([['x', '12'.repeat(60), '']])]).refused?.join()).toMatch(/digits/);
});

describe('hostile cells', () => {
  it('are put in once, on one line, cut, and never read as marks', () => {
    const hostile = [
      ['[[1:2:2]] $& $1', 1, ''],
      [`a\u202eb\n${'x'.repeat(300)}`, 2, ''],
    ];
    expect(textOf('[[1:1:1]] and [[1:1:2]].', [part(hostile)])).toBe('[[1:2:2]] $& $1 and 1.');
    const text = textOf('[[1:2:1]].', [part(hostile)]) ?? '';
    expect(text).toMatch(/^a\\u\{202e\}b\\nx+…\.$/);
    expect(text.length).toBeLessThan(120);
  });
});
