import type { InspectionFinding } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../../process/output.ts';
import { memoryHost } from '../../testing/memory-host.ts';
import { unsafeCharacters } from '../../testing/unsafe-characters.ts';
import { formatFinding, lineTable } from './format-findings.ts';

const finding = (text: string, part: string, more: Partial<InspectionFinding> = {}): InspectionFinding => {
  const start = text.indexOf(part);
  const span = { start, end: start + part.length };
  return { code: 'unknown-column', severity: 'error', message: 'There is none.', advice: '', span, ...more };
};

const format = (text: string, part: string, more: Partial<InspectionFinding> = {}, columns?: number): string => {
  const host = memoryHost(columns === undefined ? {} : { columns });
  const one = finding(text, part, more);
  return formatFinding(one, one.span, lineTable(text), 'q.sql', createOutput(host.stdout, host.env));
};

/** What stands above the marks. */
const marked = (text: string): string => {
  const [, line = '', mark = ''] = text.split('\n');
  return line.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1);
};

describe('formatFinding', () => {
  it('gives the place, the line, a mark below the span, and what to do', () => {
    const more: Partial<InspectionFinding> = {
      nearestNames: ['customer.name'],
      cells: [{ column: 'customer.city', value: 'London', score: 0.9 }],
      fix: { description: 'Write customer.name', edits: [] },
    };
    expect(format('SELECT a,\n  nam\nFROM customer', 'nam', more)).toBe(
      [
        'q.sql:2:3 error: There is none. [unknown-column]',
        '      nam',
        '      ^^^',
        '    nearest: customer.name',
        "    stored: 'London' in customer.city",
        '    fix: Write customer.name\n',
      ].join('\n'),
    );
  });

  it('marks the right place behind tabs, wide characters and in a very long line', () => {
    expect(marked(format('SELECT\t\tnam', 'nam'))).toBe('nam');
    expect(format("SELECT '東京', nam", 'nam').split('\n')[2]).toBe(`    ${' '.repeat(15)}^^^`);
    const long = format(`SELECT ${'a, '.repeat(500)}nam${', b'.repeat(500)}`, 'nam');
    expect(marked(long)).toBe('nam');
    expect(long.split('\n')[1]?.length).toBeLessThan(130);
  });

  it('marks an insertion and a span of several lines', () => {
    expect(format('SELECT a', '').split('\n')[2]).toBe('    ^');
    expect(marked(format('SELECT (a +\n b) FROM t', '(a +\n b)'))).toBe('(a +');
  });

  it('shows nothing that a terminal obeys', () => {
    const evil = 'x\u001b[2J\u202ey';
    const more: Partial<InspectionFinding> = {
      message: evil,
      nearestNames: [evil],
      cells: [{ column: evil, value: evil.repeat(50), score: 1 }],
      fix: { description: evil, edits: [] },
    };
    const text = format(`SELECT '${evil}' FROM t`, 'FROM', more);
    expect(unsafeCharacters(text, '\n')).toEqual([]);
    expect(text).toContain('\\u{1b}');
  });
});

describe('lineTable', () => {
  it('counts lines and columns from 1, characters as a reader sees them, with either line end', () => {
    const text = 'a\r\n😀b\n';
    const lines = lineTable(text);
    expect(lines.placeOf(0)).toEqual({ line: 1, column: 1 });
    expect(lines.placeOf(text.indexOf('b'))).toEqual({ line: 2, column: 2 });
    expect(lines.placeOf(text.length)).toEqual({ line: 3, column: 1 });
    expect([lines.line(1), lines.line(2), lines.line(3)]).toEqual(['a', '😀b', '']);
  });
});
