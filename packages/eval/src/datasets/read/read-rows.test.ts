import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datasetFolder, type FileContent } from '../fixtures/dataset-folder.ts';
import { type DatasetRow, peekFields, readRows } from './read-rows.ts';

async function collect(rows: AsyncIterable<DatasetRow>): Promise<DatasetRow[]> {
  const all: DatasetRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

async function rowsOf(name: string, content: FileContent, maxBytes?: number): Promise<DatasetRow[]> {
  const file = path.join(datasetFolder({ [name]: content }), name);
  return collect(readRows(file, { maxBytes }));
}
const valuesOf = (rows: readonly DatasetRow[]): unknown[] =>
  rows.map((row) => ('value' in row ? row.value : row.problem));
const linesOf = (rows: readonly DatasetRow[]): number[] => rows.map((row) => row.line);

describe('readRows', () => {
  it('reads JSON lines with their numbers, past blank ones, a byte order mark and Windows line ends', async () => {
    const rows = await rowsOf('a.jsonl', '\uFEFF{"a":1}\r\n\r\n{"a":"ü"}\n{"a":');
    expect(valuesOf(rows)).toEqual([{ a: 1 }, { a: 'ü' }, expect.stringContaining('no JSON')]);
    expect(linesOf(rows)).toEqual([1, 3, 4]);
    expect(rows.map(({ position }) => position)).toEqual([0, 1, 2]);
  });

  it('reads a JSON list member by member, and a broken one costs no other', async () => {
    const text =
      '[\n  {"a": [1, {"b": "],}"}]},\n  {"a": "never closed},\n  {"a": 3},\n  "\\"]",\n  {\n"b": "torn,\n"c": 1\n},\n 7\n]\n';
    const rows = await rowsOf('a.json', text);
    const broken = expect.stringContaining('no JSON');
    expect(valuesOf(rows)).toEqual([{ a: [1, { b: '],}' }] }, broken, { a: 3 }, '"]', broken, 7]);
    expect(linesOf(rows)).toEqual([2, 3, 4, 5, 6, 10]);
  });

  it('says that a list is cut off, after what could be read', async () => {
    const rows = await rowsOf('a.json', '[{"a":1},\n{"a":2},\n{"a"');
    expect(valuesOf(rows)).toEqual([
      { a: 1 },
      { a: 2 },
      expect.stringContaining('no JSON'),
      expect.stringContaining('cut off'),
    ]);
    expect(await rowsOf('b.json', '[]')).toEqual([]);
  });

  it('reads CSV with quotes, line ends and separators in fields, and counts lines of the file', async () => {
    const text = 'Question,SQL Text\r\n"How ""many""?","SELECT 1,\n 2"\r\n\r\nplain 5" disk,x\n"a";b,c\n';
    const rows = await rowsOf('a.csv', text);
    expect(valuesOf(rows)).toEqual([
      { question: 'How "many"?', sql_text: 'SELECT 1,\n 2' },
      { question: 'plain 5" disk', sql_text: 'x' },
      { question: 'a;b', sql_text: 'c' },
    ]);
    expect(linesOf(rows)).toEqual([2, 5, 6]);
  });

  it.each([
    ['a.csv', 'question;sql\na, b;"x;y"\n'],
    ['a.tsv', 'question\tsql\na, b\tx;y\n'],
  ])('finds the separator of %s', async (name, text) => {
    expect(valuesOf(await rowsOf(name, text))).toEqual([{ question: 'a, b', sql: 'x;y' }]);
  });

  it('reports a row with too many fields and a quote without an end, and fills up one with too few', async () => {
    const rows = await rowsOf('a.csv', 'question,sql\na,SELECT 1, 2\nb\n"c,d\ne,f\n');
    expect(valuesOf(rows)).toEqual([
      expect.stringMatching(/3 fields.*header has 2/),
      { question: 'b', sql: '' },
      expect.stringContaining('never closed'),
    ]);
    await expect(rowsOf('b.csv', 'sql,question,SQL\n')).rejects.toMatchObject({ code: 'DATASET_INVALID' });
  });

  it('reads gzip, whatever its name, and says when it is torn', async () => {
    const packed = gzipSync('{"a":1}\n{"a":2}\n');
    expect(valuesOf(await rowsOf('a.jsonl', packed))).toEqual([{ a: 1 }, { a: 2 }]);
    await expect(rowsOf('b.jsonl', packed.subarray(0, 20))).rejects.toMatchObject({ code: 'DATASET_INVALID' });
  });

  it('reports a record that is too long without keeping it, and refuses UTF-16', async () => {
    const long = `{"a":"${'x'.repeat(200_000)}"}`;
    for (const [name, text] of [
      ['a.jsonl', `{"a":1}\n${long}\n{"a":2}`],
      ['a.json', `[{"a":1},\n${long},\n{"a":2}]`],
      ['a.csv', `a\n1\n${long}\n2`],
    ] as const) {
      const rows = await rowsOf(name, text, 1000);
      expect(rows).toHaveLength(3);
      expect(valuesOf(rows)[1]).toMatch(/200\d+ bytes long, more than the 1000/);
    }
    await expect(rowsOf('b.jsonl', Buffer.from('\uFEFF{}', 'utf16le'))).rejects.toThrow(/UTF-16.*UTF-8/);
  });

  it('gives back what was written, in each notation, over the borders of its pieces', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    const padding = 'é'.repeat(40_000);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ a: text, b: text }), { minLength: 1, maxLength: 6 }), async (written) => {
        const values = [{ a: padding, b: '' }, ...written];
        const quoted = (field: string): string => `"${field.replaceAll('"', '""')}"`;
        const csv = ['a,b', ...values.map(({ a, b }) => `${quoted(a)},${quoted(b)}`)].join('\n');
        const folder = datasetFolder({ 'r.jsonl': values, 'r.json': values, 'r.json.gz': values, 'r.csv': csv });
        for (const name of ['r.jsonl', 'r.json', 'r.json.gz', 'r.csv']) {
          expect(valuesOf(await collect(readRows(path.join(folder, name))))).toEqual(values);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('reads no further than it is asked: the first row of a file is there before its torn end', async () => {
    const rows = Array.from({ length: 40 }, (_, n) =>
      JSON.stringify({ n, noise: randomBytes(50_000).toString('base64') }),
    );
    const packed = gzipSync(rows.join('\n'));
    const file = path.join(datasetFolder({ 'a.jsonl': packed.subarray(0, packed.length - 1000) }), 'a.jsonl');
    expect(await peekFields(file)).toMatchObject({ n: 0 });
    await expect(collect(readRows(file))).rejects.toMatchObject({ code: 'DATASET_INVALID' });
  });
});
