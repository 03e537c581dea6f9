import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { open, rowsOf } from '../test-support/open-file.ts';
import { temporaryFolder } from '../test-support/temporary-folder.ts';
import { writeDatabase } from '../test-support/write-database.ts';
import { findSource } from './find-source.ts';

// Each starts a process of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const SALES =
  "(SELECT * FROM (VALUES (1, 'Łódź', 2.50::DECIMAL(6, 2), DATE '2024-02-29'), (2, NULL, 10, NULL)) t(id, city, price, day))";

test('a file of each kind is a relation that is named after it, with the types that its reader finds', async () => {
  using folder = temporaryFolder();
  const copies = {
    'sales.parquet': '(FORMAT parquet)',
    'plain.csv': '(FORMAT csv, HEADER)',
    'tabs.tsv': "(FORMAT csv, HEADER, DELIMITER '\t')",
    'lines.ndjson': '(FORMAT json)',
    'list.json': '(FORMAT json, ARRAY true)',
    'packed.csv.gz': '(FORMAT csv, HEADER, COMPRESSION gzip)',
    'packed lines.jsonl.gz': '(FORMAT json, COMPRESSION gzip)',
    'dense.csv.zst': '(FORMAT csv, HEADER, COMPRESSION zstd)',
  };
  const statements = Object.entries(copies).map(([name, how]) => `COPY ${SALES} TO '${folder.file(name)}' ${how}`);
  await writeDatabase(':memory:', statements);
  await using adapter = open({ files: folder.path });
  const { schema, relations, incomplete } = await adapter.introspect();
  expect(incomplete).toEqual([]);
  expect(schema.relations.map(({ name }) => name)).toEqual([
    'dense',
    'lines',
    'list',
    'packed',
    'packed lines',
    'plain',
    'sales',
    'tabs',
  ]);
  for (const { id, name } of schema.relations) {
    expect(relations[id]).toMatchObject({ kind: 'external table', rowCount: 2, rowCountExact: true });
    expect(relations[id]?.definition).toBeUndefined();
    const { rows } = await adapter.query(`SELECT id, city, CAST(day AS VARCHAR) FROM "${name}" ORDER BY id`);
    expect({ name, rows }).toEqual({
      name,
      rows: [
        [1, 'Łódź', '2024-02-29'],
        [2, null, null],
      ],
    });
  }
  expect((await adapter.query('SELECT price FROM sales ORDER BY id')).rows).toEqual([['2.50'], ['10.00']]);
});

test('files that differ in the number at their end are one relation that says where a row comes from', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('events_20240101.csv'), 'id,kind\n1,a\n2,b\n');
  writeFileSync(folder.file('events_20240102.csv'), 'id,kind,extra\n3,c,x\n');
  writeFileSync(folder.file('q1 2024.csv'), 'id\n9\n');
  await using adapter = open({ files: folder.path });
  const { schema, relations, attributes } = await adapter.introspect();
  expect(schema.relations.map(({ name }) => name)).toEqual(['events', 'q1 2024']);
  expect(schema.attributes.filter(({ relation }) => relation === 'events').map(({ name }) => name)).toEqual([
    'id',
    'kind',
    'extra',
    'file_name',
  ]);
  expect(relations.events?.comment).toContain('events*');
  expect(Object.keys(attributes)).toHaveLength(5);
  const { rows } = await adapter.query('SELECT id, extra, file_name FROM events ORDER BY id');
  expect(rows).toEqual([
    [1, null, 'events_20240101.csv'],
    [2, null, 'events_20240101.csv'],
    [3, 'x', 'events_20240102.csv'],
  ]);
});

test('parts are named after their folder, and a folder of partitions is one relation with the keys as columns', async () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file('orders'));
  await writeDatabase(':memory:', [
    `COPY (SELECT 1 AS n) TO '${folder.file('orders/part-0.parquet')}'`,
    `COPY (SELECT 2 AS n) TO '${folder.file('orders/part-1.parquet')}'`,
    `COPY (SELECT range AS n, 2023 + range % 2 AS year, 'a b' AS shop FROM range(6)) TO '${folder.file('visits')}' (FORMAT parquet, PARTITION_BY (year, shop))`,
  ]);
  await using adapter = open({ files: folder.path });
  const { relations } = await adapter.introspect();
  expect(Object.keys(relations).sort()).toEqual(['orders', 'visits']);
  expect(relations.visits).toMatchObject({
    rowCount: 6,
    partitioning: { attributes: ['visits#year', 'visits#shop'], kind: 'partition', filterRequired: false },
  });
  expect((await adapter.query('SELECT sum(n) FROM orders')).rows).toEqual([[3]]);
  expect((await adapter.query('SELECT year, shop, sum(n) FROM visits GROUP BY ALL ORDER BY ALL')).rows).toEqual([
    [2023, 'a b', 6],
    [2024, 'a b', 9],
  ]);
});

test('names stay apart: the same stem in two formats, in two folders, in another case', async () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file('old'));
  writeFileSync(folder.file('Sales.csv'), 'id\n1\n');
  writeFileSync(folder.file('sales.json'), '[{"id": 2}]');
  writeFileSync(folder.file('old/people.csv'), 'id\n3\n');
  writeFileSync(folder.file('people.csv'), 'id\n4\n');
  await using adapter = open({ files: folder.path });
  const { schema } = await adapter.introspect();
  expect(schema.relations.map(({ name }) => name).sort()).toEqual(['Sales_csv', 'people', 'people_2', 'sales_json']);
  expect((await adapter.query('SELECT id FROM people UNION ALL SELECT id FROM people_2')).rows).toEqual([[4], [3]]);
});

test('several paths are one database, and hostile file names are only names', async () => {
  using folder = temporaryFolder();
  const names = ["it's.csv", 'a"b.csv', 'x); DROP TABLE y; --.csv', 'select.csv', 'größe 表.csv', '$(id).csv'];
  for (const name of names) writeFileSync(folder.file(name), `id\n${name.length}\n`);
  await using adapter = open({ files: names.map(folder.file) });
  const { schema } = await adapter.introspect();
  expect(schema.relations.map(({ name }) => `${name}.csv`).sort()).toEqual([...names].sort());
  for (const name of names) {
    const quoted = `"${name.slice(0, -4).replaceAll('"', '""')}"`;
    expect((await adapter.query(`SELECT id FROM ${quoted}`)).rows).toEqual([[name.length]]);
  }
});

test('a broken file in a folder is left out with a word, the others can be asked', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('good.csv'), 'id\n1\n');
  writeFileSync(folder.file('bad.parquet'), 'PAR1 this is none PAR1');
  writeFileSync(folder.file('notes.txt'), 'nothing');
  writeFileSync(folder.file('.hidden.csv'), 'id\n1\n');
  writeFileSync(folder.file('empty.csv'), '');
  await using adapter = open({ files: folder.path });
  const { schema, incomplete } = await adapter.introspect();
  expect(schema.relations.map(({ name }) => name)).toEqual(['good']);
  expect(incomplete).toEqual([
    { subject: folder.file('empty.csv'), reason: 'this file is not read: it is empty' },
    { subject: 'bad', reason: expect.stringContaining('cannot be read') },
  ]);
  const { findings } = await adapter.diagnose();
  expect(findings).toEqual([expect.objectContaining({ code: 'unreadable-file', severity: 'warning' })]);
  expect(findings[0]?.message).toContain('bad.parquet');
});

test('nested JSON is nested, and large integers in it keep their digits', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('docs.json'), '[{"id": 1, "tags": ["a", "b"], "at": {"x": 9007199254740993, "y": null}}]');
  const rows = await rowsOf({ files: folder.file('docs.json') }, 'SELECT tags, "at" FROM docs');
  expect(rows).toEqual([[['a', 'b'], { x: '9007199254740993', y: null }]]);
});

test('a type is found by all rows of a small file, and a packed file is one as well', async () => {
  using folder = temporaryFolder();
  const lines = ['id,code', ...Array.from({ length: 30_000 }, (_, index) => `${index},${index}`), '30000,x7'];
  writeFileSync(folder.file('codes.csv.gz'), gzipSync(lines.join('\n')));
  const sql = 'SELECT typeof(code), count(*), max(id) FROM codes GROUP BY ALL';
  expect(await rowsOf({ files: folder.file('codes.csv.gz') }, sql)).toEqual([['VARCHAR', 30_001, 30_000]]);
});

test('data files that are not read are named', async () => {
  using folder = temporaryFolder();
  const at = (...parts: readonly string[]): string => join(folder.path, ...parts);
  const source = () => findSource({ place: { type: 'files', paths: [folder.path] } });
  writeFileSync(at('a.csv'), 'a\n1');
  mkdirSync(at('sub'));
  for (const name of ['b*.csv', 'c?.csv', join('sub', 'd[1].csv')]) writeFileSync(at(name), 'a\n1');
  writeFileSync(at('e.csv'), '');
  execFileSync('mkfifo', [at('f.csv')]);
  const found = await source();
  expect(found).toMatchObject({
    relations: [{ name: 'a' }],
    leftOut: [
      { file: at('b*.csv'), reason: expect.stringContaining('* ? [ ]') },
      { file: at('c?.csv'), reason: expect.stringContaining('* ? [ ]') },
      { file: at('e.csv'), reason: 'it is empty' },
      { file: at('f.csv'), reason: 'it is no file that can be read' },
      { file: at('sub', 'd[1].csv'), reason: expect.stringContaining('* ? [ ]') },
    ],
  });
  await using adapter = open({ files: folder.path });
  const { incomplete } = await adapter.introspect();
  expect(incomplete.map(({ subject }) => subject)).toEqual(
    found.type === 'files' ? found.leftOut.map(({ file }) => file) : [],
  );
  rmSync(at('a.csv'));
  await expect(source()).rejects.toThrow(/No data file in the folder .* can be read. .*b\*\.csv: it has one of/);
});
