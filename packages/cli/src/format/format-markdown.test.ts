import { describe, expect, it } from 'vitest';
import { formatMarkdown } from './format-markdown.ts';

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
