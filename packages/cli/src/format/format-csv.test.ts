import type { ResultColumn, Row } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCsv } from './format-csv.ts';

const column = (name: string): ResultColumn => ({ name, nativeType: 'TEXT', type: 'TEXT' });

describe('formatCsv', () => {
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
    const cell = fc.option(fc.string({ unit: 'binary' }), { nil: null });
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
