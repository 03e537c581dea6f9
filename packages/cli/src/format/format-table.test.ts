import type { ResultColumn, Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../process/output.ts';
import { displayWidth } from '../terminal/display-width.ts';
import { memoryHost } from '../testing/memory-host.ts';
import { unsafeCharacters } from '../testing/unsafe-characters.ts';
import { formatTable } from './format-table.ts';

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
