import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCallContext } from '@askema/core';
import { bigqueryDialect, writeDdl } from '@askema/dialects';
import { probeValues, scanCells, servicesOf } from '@askema/grounding';
import { checkDatabase, inspectSql, inspectValues } from '@askema/lint';
import { prefixQuery, splitCtes, splitStatements } from '@askema/sql';
import { sqlparserTs } from '@askema/sql-parser';
import { assembleSql, type ClauseAction } from '@askema/text2sql';
import { buildValueIndex, likeIndex } from '@askema/value-index';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  columnsStatement,
  countsStatement,
  descriptionsStatement,
  keysStatement,
  tablesStatement,
} from '../catalog/metadata-statements.ts';
import { hostileCatalog } from './hostile-catalog.ts';
import { metadataViews } from './metadata-views.ts';
import { type RecordedStatement, recordingAdapter } from './recording-adapter.ts';
import { startZetaSql, tablesOfCatalog, type ZetaSql } from './zetasql.ts';

const catalog = hostileCatalog();
const context = createCallContext();
let zetasql: ZetaSql;

beforeAll(async () => {
  zetasql = await startZetaSql();
}, 120_000);

afterAll(() => zetasql?.stop());

/** Statements that the analyzer refuses, with its complaint; nothing for a run that sends none proves nothing. */
function problemsOf(statements: readonly RecordedStatement[], least: number): readonly string[] {
  expect(statements.length).toBeGreaterThanOrEqual(least);
  return statements.flatMap(({ sql, problem }) => (problem === undefined ? [] : [`${problem}: ${sql}`]));
}

test('metadata', async () => {
  const name = { project: 'my-project', dataset: 'shop' };
  const tables = metadataViews(name.project, name.dataset);
  const columnsOf = async (sql: string) => {
    const analysis = await zetasql.analyze(sql, { tables });
    return analysis.ok ? analysis.columns?.map((column) => `${column.name} ${column.type}`) : analysis.error;
  };
  expect(await columnsOf(tablesStatement(name))).toEqual([
    'table_name STRING',
    'table_type STRING',
    'ddl STRING',
    'description STRING',
    'require_partition_filter STRING',
  ]);
  expect(await columnsOf(columnsStatement(name))).toEqual(['columns STRING', 'table_names STRING']);
  expect(await columnsOf(descriptionsStatement(name))).toEqual(['fields STRING', 'table_names STRING']);
  expect(await columnsOf(keysStatement(name))).toEqual([
    'table_name STRING',
    'constraint_type STRING',
    'constraint_name STRING',
    'column_name STRING',
    'ordinal_position INT64',
    'position_in_unique_constraint INT64',
    'target_project STRING',
    'target_dataset STRING',
    'target_table STRING',
  ]);
  expect(await columnsOf(countsStatement(name))).toEqual(['table_id STRING', 'row_count INT64', 'size_bytes INT64']);
});

test('samples of every attribute', async () => {
  const { adapter, statements } = recordingAdapter(zetasql, catalog);
  const attributes = catalog.schema.attributes.map(({ id }) => id);
  await adapter.sampleValues(attributes, { catalog, limit: 3, timeoutMs: 60_000, context });
  expect(problemsOf(statements, attributes.length)).toEqual([]);
});

test('profiles of every attribute, and joins', async () => {
  const { adapter, statements } = recordingAdapter(zetasql, catalog);
  const attributes = catalog.schema.attributes.map(({ id }) => id);
  await servicesOf(adapter).explorer.explore(catalog, 'kinds of pairs', {
    attributes,
    context,
    timeoutMs: 60_000,
    statementTimeoutMs: 30_000,
    maxRelations: 100,
    maxAttributes: 1_000,
  });
  expect(problemsOf(statements, 20)).toEqual([]);
});

test('ready probes of every attribute', async () => {
  const { adapter } = recordingAdapter(zetasql, catalog);
  const attributes = catalog.schema.attributes.map(({ id }) => id);
  const probes = servicesOf(adapter).explorer.probes(attributes, { catalog, search: "it's 50% \\ `x`" });
  const tables = tablesOfCatalog(catalog);
  expect(new Set(probes.map(({ kind }) => kind))).toEqual(
    new Set(['frequent', 'range', 'search', 'jsonFields', 'elements']),
  );
  const problems: string[] = [];
  for (const { kind, sql } of probes) {
    const analysis = await zetasql.analyze(sql, { tables });
    if (!analysis.ok) problems.push(`${kind}: ${analysis.error}: ${sql}`);
  }
  expect(problems).toEqual([]);
});

test('look-ups of values, in small and in large relations, by scanning and by LIKE', async () => {
  const { adapter, statements } = recordingAdapter(zetasql, catalog);
  const relations = Object.entries(catalog.relations).map(([id, info]) => [id, { ...info, rowCount: 60_000 }]);
  const large = { ...catalog, relations: Object.fromEntries(relations) };
  const limits = { context, timeoutMs: 60_000, largeTimeoutMs: 60_000 };
  for (const each of [catalog, large]) await probeValues(adapter, each, `Which "it's \\ odd" or 'b' of x?`, limits);
  const scanned = statements.length;
  expect(scanned).toBeGreaterThan(3);
  const cells = scanCells({ adapter, catalog, timeoutMs: 30_000, searchTimeoutMs: 60_000 });
  await cells.find({ text: "it's", limit: 5, context });
  await cells.close();
  const like = likeIndex(adapter, catalog, { timeoutMs: 60_000 });
  await like.find({ text: "it's 50% _ \\", limit: 5, context });
  expect(problemsOf(statements, scanned + 20)).toEqual([]);
});

test('building a value index', async () => {
  const { adapter, statements } = recordingAdapter(zetasql, catalog);
  const folder = mkdtempSync(join(tmpdir(), 'askema-bigquery-'));
  try {
    const path = join(folder, 'values.sqlite');
    await buildValueIndex({ adapter, catalog, path, detectChanges: 'digest' });
    await buildValueIndex({ adapter, catalog, path, sampleRows: 100, refresh: true });
    expect(problemsOf(statements, 40)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the check of a database with its rows', async () => {
  const { adapter, statements } = recordingAdapter(zetasql, catalog);
  await checkDatabase(adapter, catalog, { context, data: true });
  expect(problemsOf(statements, 8)).toEqual([]);
});

test('the retriever of values', async () => {
  const { adapter, statements } = recordingAdapter(zetasql, catalog);
  const parser = sqlparserTs();
  try {
    const sql =
      'SELECT p.`a`, k.`s` FROM `my-project`.`shop`.`pairs` AS p JOIN `my-project`.`shop`.`kinds` AS k ON p.`note` = k.`s` JOIN `my-project`.`shop`.`uses` AS u ON u.`pair_b` = p.`b` ' +
      "WHERE p.`note` = 'it\\'s' AND LOWER(p.`b`) LIKE '%x\\\\%%' AND k.`s` IN ('a', 'b') AND k.`s10` <> 'c'";
    const { query } = await inspectSql(sql, { catalog, dialect: bigqueryDialect, parser });
    if (query === undefined) throw new Error('The statement has no shape.');
    await inspectValues(query, { adapter, context });
    expect(problemsOf(statements, 4)).toEqual([]);
  } finally {
    await parser.close();
  }
});

const TEXTS = "it's \\ `odd`";

/** Every operator, kinds of operands, sub-questions, set operators. */
const ACTIONS: readonly (readonly ClauseAction[])[] = [
  [
    { action: 'add_from', relation: 'kinds', joins: [] },
    { action: 'add_where', left: 's', operator: '=', right: [{ kind: 'text', value: TEXTS }] },
    { action: 'add_where', left: 's', operator: 'like', right: [{ kind: 'text', value: '%\\_x%' }] },
    {
      action: 'add_where',
      left: 'i',
      operator: 'between',
      right: [
        { kind: 'number', value: '1' },
        { kind: 'number', value: '2' },
      ],
    },
    { action: 'add_where', left: 'b', operator: '=', right: [{ kind: 'boolean', value: true }] },
    { action: 'add_where', left: 'd', operator: 'is not null', right: [] },
    { action: 'add_group_by', expressions: ['s'] },
    { action: 'add_having', left: 'COUNT(*)', operator: '>', right: [{ kind: 'number', value: '2' }] },
    {
      action: 'add_select',
      distinct: true,
      items: [
        { expression: 's', alias: 'select' },
        { expression: 'COUNT(*)', alias: 'n' },
      ],
    },
    { action: 'add_order_by', keys: [{ expression: 'n', direction: 'desc', nulls: 'last' }] },
    { action: 'add_limit', count: 3, offset: 6 },
  ],
  ...(['union', 'union all', 'intersect', 'except'] as const).map((operator): readonly ClauseAction[] => [
    { action: 'add_from', relation: 'pairs', joins: [] },
    { action: 'add_select', distinct: false, items: [{ expression: 'note' }] },
    { action: 'add_merge', operator },
    { action: 'add_from', relation: 'kinds', joins: [] },
    { action: 'add_select', distinct: false, items: [{ expression: 's' }] },
  ]),
  ...(['inner', 'left', 'right', 'full', 'cross'] as const).map((kind): readonly ClauseAction[] => [
    {
      action: 'add_from',
      relation: 'pairs',
      alias: 'p',
      joins: [{ kind, relation: 'kinds', alias: 'k', on: kind === 'cross' ? [] : [{ left: 'p.kind', right: 'k.i' }] }],
    },
    { action: 'add_select', distinct: false, items: [{ expression: 'p.note' }, { expression: 'k.s' }] },
  ]),
];

test('statements that clause actions say', async () => {
  const tables = tablesOfCatalog(catalog);
  const problems: string[] = [];
  for (const actions of ACTIONS) {
    const assembled = assembleSql(actions, { dialect: bigqueryDialect, catalog });
    expect(assembled.problems).toEqual([]);
    const analysis = await zetasql.analyze(assembled.sql, { tables });
    if (!analysis.ok) problems.push(`${analysis.error}: ${assembled.sql}`);
  }
  expect(problems).toEqual([]);
});

test('prefixes of a statement with WITH', async () => {
  const sql =
    'WITH a AS (SELECT i, s, items FROM `my-project.shop.kinds`), b AS (SELECT a.i, item.sku FROM a, UNNEST(a.items) AS item), ' +
    'c AS (SELECT i, ROW_NUMBER() OVER (PARTITION BY sku ORDER BY i) AS place FROM b) SELECT * FROM c QUALIFY place = 1';
  const split = splitCtes(sql, bigqueryDialect.lexer);
  const tables = tablesOfCatalog(catalog);
  expect(split.ctes).toHaveLength(3);
  for (const place of [1, 2, 3]) {
    const prefix = prefixQuery(sql, split, place, { traits: bigqueryDialect.lexer, maxRows: 5 });
    expect(await zetasql.analyze(prefix ?? '', { tables })).toMatchObject({ ok: true, statementKind: 'query' });
  }
});

/** The only thing that this build of ZetaSQL refuses of what our code writes: columns of this type in DDL; in queries it knows them. */
const INTERVAL_COLUMN = '  iv INTERVAL,\n';

test('DDL of a schema', async () => {
  const ddl = writeDdl(catalog, bigqueryDialect, { comments: true }).replace(INTERVAL_COLUMN, '');
  const statements = splitStatements(ddl, bigqueryDialect.lexer);
  const tables = tablesOfCatalog(catalog);
  const problems: string[] = [];
  for (const { start, end } of statements) {
    const text = ddl.slice(start, end);
    const analysis = await zetasql.analyze(text, { tables });
    if (!analysis.ok) problems.push(`${analysis.error}: ${text}`);
  }
  expect(statements.length).toBeGreaterThan(5);
  expect(await zetasql.analyze(`CREATE TABLE t (\n${INTERVAL_COLUMN})`)).toEqual({
    ok: false,
    error: expect.stringContaining('Type not found: `INTERVAL`'),
  });
  expect(problems).toEqual([]);
});

test('shards are queried as the comment of their family says', async () => {
  const tables = tablesOfCatalog(catalog);
  const comment = Object.values(catalog.relations).find(({ comment: text }) =>
    text?.includes('_TABLE_SUFFIX'),
  )?.comment;
  const from = /FROM .*$/u.exec(comment ?? '')?.[0] ?? '';
  const sql = `SELECT COUNT(*) AS n ${from.replaceAll('YYYYMMDD', '20240101')}`;
  expect(await zetasql.analyze(sql, { tables })).toMatchObject({ ok: true, columns: [{ name: 'n', type: 'INT64' }] });
});
