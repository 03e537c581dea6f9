import type { ResultColumn, Row } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../../scripts/testing/any-character.ts';
import { createOutput } from '../../process/output.ts';
import { displayWidth } from '../../terminal/display-width.ts';
import { memoryHost } from '../../testing/memory-host.ts';
import { unsafeCharacters } from '../../testing/unsafe-characters.ts';
import { csvText, formatMarkdown, formatTable, jsonlText } from './format-rows.ts';

const text = (name: string): ResultColumn => ({ name, nativeType: 'TEXT', type: 'TEXT' });
const number = (name: string): ResultColumn => ({ name, nativeType: 'INTEGER', type: 'NUMERIC' });
const pipe = createOutput(memoryHost().stdout, {});
const terminal = (columns: number, env = {}) => createOutput(memoryHost({ columns }).stdout, env);

describe('formatTable', () => {
  it('aligns numbers to the right and text to the left', () => {
    const table = formatTable(
      [text('name'), number('total')],
      [
        ['Ada', 5],
        ['Grace', 1234.5],
        [null, null],
      ],
      pipe,
    );
    expect(table.text).toBe('name  |  total\n------+-------\nAda   |      5\nGrace | 1234.5\nNULL  |   NULL\n');
    expect(table.isCut).toBe(false);
  });

  it('counts East Asian characters and emoji as two columns', () => {
    const rows: Row[] = [
      ['東京', 1],
      ['Zoë', 2],
      ['👩‍👩‍👧', 3],
    ];
    const lines = formatTable([text('city'), number('n')], rows, pipe)
      .text.trimEnd()
      .split('\n');
    expect(new Set(lines.map(displayWidth))).toEqual(new Set([8]));
  });

  it('keeps every cell on its line, whatever stands in it', () => {
    const hostile = 'x\u001b[2J\n\r\u0007\u202e';
    const table = formatTable([text(`h\u001b[1m`)], [[hostile]], pipe).text;
    expect(table.split('\n')).toHaveLength(4);
    expect(unsafeCharacters(table, '\n')).toEqual([]);
    expect(table).toContain('x\\u{1b}[2J\\n\\r\\u{7}\\u{202e}');
  });

  it('shortens cells only to fit a terminal, and says so', () => {
    const row: Row = ['short', 'a'.repeat(200), '東'.repeat(100)];
    const columns = [text('a'), text('b'), text('c')];
    const fitted = formatTable(columns, [row], terminal(60, { NO_COLOR: '1' }));
    expect(fitted.isCut).toBe(true);
    expect(Math.max(...fitted.text.split('\n').map(displayWidth))).toBeLessThanOrEqual(60);
    expect(fitted.text).toContain('…');
    expect(formatTable(columns, [row], pipe).text).toContain('a'.repeat(200));
  });

  it('keeps exact numbers and says how long a BLOB is', () => {
    const row: Row = [9_007_199_254_740_993n, '12.50', new Uint8Array(2_000)];
    const table = formatTable([number('id'), number('price'), text('file')], [row], pipe).text;
    expect(table).toContain('9007199254740993 | 12.50 | \\x0000');
    expect(table).toContain('… (2,000 bytes)');
  });

  it('paints only where colours are wanted', () => {
    expect(formatTable([text('a')], [[null]], terminal(80)).text).toContain('\u001b[2mNULL');
    expect(formatTable([text('a')], [[null]], terminal(80, { NO_COLOR: '1' })).text).not.toContain('\u001b');
    expect(formatTable([text('a')], [[null]], createOutput(memoryHost().stdout, { FORCE_COLOR: '1' })).text).toContain(
      '\u001b[1m',
    );
  });

  it('writes only the header when there are no rows', () => {
    expect(formatTable([text('a'), number('n')], [], pipe).text).toBe('a | n\n--+--\n');
  });
});

const column = (name: string): ResultColumn => ({ name, nativeType: 'TEXT', type: 'TEXT' });

const formatCsv = (columns: readonly ResultColumn[], rows: readonly Row[]): string => {
  const { header, lines } = csvText(columns);
  return header + rows.map((row) => lines([row])).join('');
};

describe('jsonlText', () => {
  const parse = (names: readonly string[], rows: readonly Row[]): unknown[] =>
    jsonlText(names.map(column))
      .lines(rows)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('is an object a row, as exact as json', () => {
    const row: Row = [9_007_199_254_740_993n, '12.50', Number.NaN, new Uint8Array([0, 255]), null, '', { a: [1] }];
    expect(parse(['id', 'price', 'n', 'file', 'x', 'y', 'z'], [row, row])[1]).toEqual({
      id: '9007199254740993',
      price: '12.50',
      n: 'NaN',
      file: { $bytes: 'AP8=' },
      x: null,
      y: '',
      z: { a: [1] },
    });
  });

  it('loses no column, whatever their names are', () => {
    const names = ['id', 'id', 'id_2', 'id', '__proto__', '1'];
    const { lines } = jsonlText(names.map(column));
    expect(lines([[1, 2, 3, 4, 5, 6]])).toBe('{"id":1,"id_3":2,"id_2":3,"id_4":4,"__proto__":5,"1":6}\n');
  });

  it('keeps a row on its line, and cannot move a cursor', () => {
    const text = jsonlText([column('a\u009b')]).lines([['x\n\u2028\u202e\u001b[2J']]);
    expect(unsafeCharacters(text, '\n')).toEqual([]);
    expect(JSON.parse(text)).toEqual({ 'a\u009b': 'x\n\u2028\u202e\u001b[2J' });
    expect(text.split('\n')).toHaveLength(2);
  });
});

describe('csvText', () => {
  it('quotes what needs quotes, ends lines with CRLF and tells NULL from the empty string', () => {
    const rows: Row[] = [
      ['plain', null],
      ['', 'a,b'],
      ['say "hi"', 'two\nlines'],
    ];
    expect(formatCsv([column('first'), column('sec,ond')], rows)).toBe(
      'first,"sec,ond"\r\nplain,\r\n"","a,b"\r\n"say ""hi""","two\nlines"\r\n',
    );
  });

  it('writes exact values, formulas included', () => {
    const row: Row = [9_007_199_254_740_993n, 0.1, true, new Uint8Array([0, 255]), '=1+1', { a: [1] }];
    const columns = row.map((_, index) => column(`c${index}`));
    expect(formatCsv(columns, [row]).split('\r\n')[1]).toBe('9007199254740993,0.1,true,\\x00ff,=1+1,"{""a"":[1]}"');
  });

  it('is read back without loss, whatever the text', () => {
    const cell = fc.option(fc.string({ unit: anyCharacter }), { nil: null });
    const table = fc.integer({ min: 2, max: 4 }).chain((width) => {
      const line = fc.array(cell, { minLength: width, maxLength: width });
      return fc.tuple(fc.array(fc.string(), { minLength: width, maxLength: width }), fc.array(line));
    });
    fc.assert(
      fc.property(table, ([names, rows]) => {
        expect(readCsv(formatCsv(names.map(column), rows))).toEqual([names, ...rows]);
      }),
    );
  });
});

/** A reader of RFC 4180 that tells an empty field (null) from a quoted empty one. */
function readCsv(text: string): (string | null)[][] {
  const records: (string | null)[][] = [];
  let record: (string | null)[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r\n)/gy;
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    const [, quoted, plain, separator] = match;
    record.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'));
    if (separator === '\r\n') {
      records.push(record);
      record = [];
    }
    if (field.lastIndex === text.length) break;
  }
  return records;
}

describe('formatMarkdown', () => {
  it('writes a table with numbers to the right and NULL empty', () => {
    const columns = [
      { name: 'name', nativeType: 'TEXT', type: 'TEXT' },
      { name: 'n', nativeType: 'INTEGER', type: 'NUMERIC' },
    ] as const;
    expect(
      formatMarkdown(columns, [
        ['Ada', 1],
        [null, 20],
      ]),
    ).toBe('| name | n |\n| --- | ---: |\n| Ada | 1 |\n|  | 20 |\n');
  });

  it('makes markup of cells and column names plain text', () => {
    const columns = [{ name: 'a|b', nativeType: '', type: 'TEXT' }] as const;
    const hostile = '![x](http://evil/) <script> | `code`\n*next*\u001b[2J';
    const [header, , cell] = formatMarkdown(columns, [[hostile]]).split('\n');
    expect(header).toBe('| a\\|b |');
    expect(cell).toBe('| \\!\\[x\\](http://evil/) \\<script\\> \\| \\`code\\`<br>\\*next\\*\\\\u{1b}\\[2J |');
  });
});
