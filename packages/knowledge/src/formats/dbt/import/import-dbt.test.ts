import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { MetricDefinition } from '../../../model/metric-definition.ts';
import { latestLibrary, legacyLibrary, meaningOf } from '../test-support/library-project.ts';
import { importDbt } from './import-dbt.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../../../shared/data', import.meta.url));
const JAFFLE = `${DATA}/knowledge/jaffle-shop/dbt`;
const hasJaffle = existsSync(JAFFLE);
// biome-ignore lint/suspicious/noConsole: what was not looked at is said
if (!hasJaffle) console.warn(`NOT READ: ${JAFFLE} is not there. Set ASKEMA_DATA to the folder that holds it.`);

const library = (...changes: readonly (readonly [string, string])[]) => importDbt(legacyLibrary(...changes));
const definitionsOf = ({ knowledge }: ReturnType<typeof importDbt>): Record<string, MetricDefinition> =>
  Object.fromEntries(knowledge.models.flatMap(({ metrics }) => metrics.map((one) => [one.name, one.definition])));

describe('importDbt', () => {
  it('reads measures and metrics of each type', () => {
    const imported = library();
    expect(imported.lost).toEqual([]);
    expect(definitionsOf(imported)).toMatchSnapshot();
  });

  it('makes keys, relationships, fields and a time spine of entities, dimensions and columns', () => {
    const [model] = library().knowledge.models;
    expect(
      model?.relationships.map(({ from, fromColumns, to, toColumns }) => [from, ...fromColumns, to, ...toColumns]),
    ).toEqual([
      ['loans', 'member_id', 'members', 'member_id'],
      ['members', 'branch_id', 'branches', 'id'],
    ]);
    const members = model?.datasets.find(({ name }) => name === 'members');
    expect(members).toMatchObject({ source: 'dim_members', primaryKey: ['member_id'], defaultTime: 'joined_at' });
    expect(members?.fields.map(({ name, dimension, timeGrain }) => [name, dimension, timeGrain])).toEqual([
      ['joined_at', { isTime: true }, 'month'],
      ['kind', {}, undefined],
      ['member_id', {}, undefined],
      ['branch_id', {}, undefined],
      ['balance', undefined, undefined],
    ]);
    expect(members?.fields[1]).toMatchObject({
      description: 'Whom it is for.',
      values: [{ value: 'adult' }, { value: 'child' }],
    });
    expect(model?.timeSpine).toEqual({ source: 'days', column: 'day', grain: 'day' });
  });

  it('reads the latest specification as it reads the legacy one', () => {
    const latest = importDbt(latestLibrary);
    expect(latest.lost).toEqual([]);
    expect(meaningOf(latest.knowledge.models[0])).toEqual(meaningOf(library().knowledge.models[0]));
  });

  it('reads a manifest, where null says nothing and filters are lists', () => {
    const manifest = {
      semantic_models: [
        {
          name: 'loans',
          node_relation: { alias: 'fct_loans', schema_name: 'marts', database: 'dwh', relation_name: '"x"' },
          defaults: { agg_time_dimension: 'lent_at' },
          description: null,
          primary_entity: null,
          entities: [{ name: 'loan', type: 'primary', expr: 'loan_id', role: null, metadata: null, label: null }],
          dimensions: [
            { name: 'lent_at', type: 'time', is_partition: false, type_params: { time_granularity: 'day' } },
          ],
          measures: [{ name: 'loan_count', agg: 'count', expr: '1', create_metric: true, agg_params: null }],
          metadata: { file_slice: { filename: 'a.yml' } },
        },
      ],
      metrics: [
        {
          name: 'of_today',
          type: 'simple',
          type_params: {
            measure: { name: 'loan_count', filter: null, alias: null, join_to_timespine: false, fill_nulls_with: null },
            input_measures: [{ name: 'loan_count' }],
          },
          filter: {
            where_filters: [{ where_sql_template: "{{ TimeDimension('metric_time', 'day') }} > '2024-01-01'" }],
          },
          label: 'of_today',
        },
      ],
      project_configuration: {
        time_spines: [
          {
            node_relation: { alias: 'days', schema_name: 'marts', database: 'dwh' },
            primary_column: { name: 'd', time_granularity: 'day' },
          },
        ],
      },
    };
    const imported = importDbt([{ path: 'target/semantic_manifest.json', text: JSON.stringify(manifest) }]);
    expect(imported.lost).toEqual([]);
    const [model] = imported.knowledge.models;
    expect(model?.datasets[0]?.source).toBe('dwh.marts.fct_loans');
    expect(model?.timeSpine).toEqual({ source: 'dwh.marts.days', column: 'd', grain: 'day' });
    expect(definitionsOf(imported)).toEqual({
      of_today: {
        kind: 'aggregate',
        expressions: [{ dialect: 'ANSI_SQL', expression: 'COUNT(*)' }],
        dataset: 'loans',
        empty: 'zero',
        filter: "loans.lent_at > '2024-01-01'",
      },
      loan_count: {
        kind: 'aggregate',
        expressions: [{ dialect: 'ANSI_SQL', expression: 'COUNT(*)' }],
        dataset: 'loans',
        empty: 'zero',
      },
    });
  });

  it.each([
    ["ref('fct_loans')", {}, 'fct_loans'],
    ["ref('shop', 'fct_loans')", { schema: 'marts' }, 'marts.fct_loans'],
    ["ref('fct_loans', v=2)", { database: 'dwh', schema: 'marts' }, 'dwh.marts.fct_loans_v2'],
    ["source('raw', 'fct_loans')", { schema: 'marts' }, 'raw.fct_loans'],
  ])('finds the table of %s', (reference, target, source) => {
    const files = legacyLibrary(["model: ref('fct_loans')", `model: "${reference}"`]);
    expect(importDbt(files, target).knowledge.models[0]?.datasets[0]?.source).toBe(source);
  });

  const FILTER = "{{ Dimension('loan__is_late') }} AND {{ Dimension('member__branch__city') }} = 'Bonn'";

  it.each([
    ["{{ Dimension('loan__is_late') }}", 'loans.is_late'],
    ["{{Dimension('kind', entity_path=['member'])}} = 'x'", "members.kind = 'x'"],
    ["{{ Entity('member') }} IS NULL", 'loans.member_id IS NULL'],
    ["{{ Entity('branch', ['member']) }} = 3", 'members.branch_id = 3'],
    ["{{ TimeDimension('metric_time', 'year') }} = 1", "DATE_TRUNC('year', loans.lent_at) = 1"],
    ["{{ TimeDimension('loan__lent_at', 'day') }} = 1", 'loans.lent_at = 1'],
    ["{{ Dimension('loan__lent_at').grain('week') }} = 1", "DATE_TRUNC('week', loans.lent_at) = 1"],
    ["{{ Dimension('loan__lent_at').date_part('month') }} = 1", 'EXTRACT(MONTH FROM loans.lent_at) = 1'],
    ["{{ Dimension('metric_time__month') }} = 1", "DATE_TRUNC('month', loans.lent_at) = 1"],
    ["{{ TimeDimension('member__joined_at', 'month') }} = 1", 'members.joined_at = 1'],
  ])('resolves %s', (filter, condition) => {
    expect(definitionsOf(library([FILTER, filter])).late_loans).toMatchObject({ filter: condition });
  });

  it.each([
    ["{{ Dimension('member__city') }} = 'x'", '`member__city` is not reached from loans. Did you mean `member__kind`'],
    ["{{ Metric('balance', ['member']) }} > 1", "`{{ Metric('balance', ['member']) }}` is not understood"],
    ["{{ var('x') }} = 1", "`{{ var('x') }}` is not understood"],
    ['{% if x %} 1 {% endif %}', 'it contains Jinja that is not run.'],
    ['{{ Dimension(name) }} = 1', '`{{ Dimension(name) }}` is not understood'],
    ["{{ TimeDimension('loan__lent_at', 'hour') }} = 1", '`hour` is no unit of time here'],
  ])('loses a metric with the filter %s, and what is made of it', (filter, reason) => {
    const { lost, knowledge } = library([FILTER, filter]);
    expect(lost.map(({ what }) => what)).toEqual(['metric late_loans', 'metric late_share']);
    expect(lost[0]).toMatchObject({
      reason: expect.stringContaining(reason),
      place: { file: 'models/library.yml', line: 39 },
    });
    expect(lost[1]?.reason).toBe('It needs the metric late_loans, which is lost or needs it in turn.');
    expect(knowledge.models[0]?.metrics.map(({ name }) => name)).not.toContain('late_loans');
  });

  it.each<[string, readonly (readonly [string, string])[], string, string]>([
    ['a conversion', [['type: derived', 'type: conversion']], 'metric growth: conversion', 'are not computed here'],
    ['a cycle', [['{ name: fee_total, offset', '{ name: growth, offset']], 'metric growth', 'needs the metric growth'],
    [
      'a name that is not there',
      [['numerator: late_loans', 'numerator: late_loan']],
      'metric late_share',
      'Did you mean `late_loans`',
    ],
    ['a window of hours', [['window: 7 days', 'window: 7 hours']], 'metric recent_fees', '7 hour is not known here'],
    [
      'an aggregation of no one',
      [['agg: percentile', 'agg: percentil']],
      'metric high_fee',
      'Did you mean `percentile`',
    ],
    [
      'another value for gaps',
      [['fill_nulls_with: 0', 'fill_nulls_with: 7']],
      'metric loans_made: fill_nulls_with',
      'not 7',
    ],
    ['a key that is not known', [['label: Loans', 'colour: red']], 'metric loans_made: colour', 'Nothing here'],
    [
      'a key within another',
      [['measure: loan_count }', 'measure: loan_count, colour: red }']],
      'metric late_loans: type_params: colour',
      'Nothing here',
    ],
    [
      'notes of a project',
      [['label: Loans,', 'config: { meta: { owner: ann, tier: 1 } },']],
      'metric loans_made: config: meta: tier',
      'Nothing here',
    ],
    [
      'rows that are valid for a time',
      [
        [
          'type: time, type_params: { time_granularity: month }',
          'type: time, type_params: { validity_params: { is_start: true } }',
        ],
      ],
      'dimension joined_at: validity_params',
      'as if they always were',
    ],
    [
      'a key that is an expression',
      [['name: member, type: primary, expr: member_id', 'name: member, type: primary, expr: a || b']],
      'relationship of loans to members by member',
      'join columns',
    ],
    [
      'a column that a dimension hides',
      [
        ['expr: returned_at > due_at', 'expr: fee > 0'],
        ['name: is_late', 'name: fee'],
        ['loan__is_late', 'loan__fee'],
      ],
      'metric fee_total',
      'the column fee, and a dimension of this name is something else',
    ],
    [
      'a saved query',
      [['models:\n  - name: dim', 'saved_queries: [{ name: all }]\nmodels:\n  - name: dim']],
      'saved query all',
      'no question',
    ],
    [
      'a text with Jinja',
      [['What the member owes.', '"{{ doc(1) }}"']],
      'column dim_members.balance: description',
      'Jinja',
    ],
    [
      'the first of a period',
      [[', period_agg: last } } }', ' } } }']],
      'metric recent_fees: period_agg',
      'takes the first',
    ],
  ])('lists %s with its place', (_, changes, what, reason) => {
    expect(library(...changes).lost).toContainEqual({
      what,
      reason: expect.stringContaining(reason),
      place: { file: 'models/library.yml', line: expect.any(Number) },
    });
  });

  it('says so where a file cannot be read, and reads the others', () => {
    const { lost, knowledge } = importDbt([{ path: 'models/broken.yml', text: 'a: [' }, ...legacyLibrary()]);
    expect(lost).toMatchObject([{ what: 'file models/broken.yml', place: { file: 'models/broken.yml' } }]);
    expect(knowledge.models[0]?.datasets).toHaveLength(3);
  });

  it('ends on filters and metrics of metrics without end', () => {
    const metric = (at: number) => ({ name: `m${at}`, type: 'derived', expr: 'x', input_metrics: [`m${at + 1}`] });
    const chain = JSON.stringify({ metrics: Array.from({ length: 1_000 }, (_, at) => metric(at)) });
    const { lost } = importDbt([...legacyLibrary([FILTER, '{{'.repeat(10_000)]), { path: 'chain.json', text: chain }]);
    expect(lost.map(({ what }) => what)).toEqual(expect.arrayContaining(['metric late_loans', 'metric m0']));
  });

  it('refuses files without a semantic model', () => {
    expect(() => importDbt([{ path: 'a.yml', text: 'models: []' }])).toThrow(
      expect.objectContaining({
        code: 'KNOWLEDGE_INVALID',
        message: expect.stringContaining('semantic_manifest.json'),
      }),
    );
  });

  it.runIf(hasJaffle)('keeps filters, offsets, ratios and running sums of jaffle-shop', () => {
    const files = readdirSync(JAFFLE).map((path) => ({ path, text: readFileSync(`${JAFFLE}/${path}`, 'utf8') }));
    const imported = importDbt(files);
    const metrics = definitionsOf(imported);
    // 19 metrics, and 4 measures that no metric uses.
    expect(Object.keys(metrics)).toHaveLength(23);
    expect(metrics.food_orders).toMatchObject({ dataset: 'orders', filter: 'orders.is_food_order = true' });
    expect(metrics.food_revenue).toMatchObject({
      expressions: [{ expression: 'SUM(case when order_item.is_food_item then order_item.product_price else 0 end)' }],
    });
    expect(metrics.revenue_growth_mom).toMatchObject({ inputs: [{}, { offset: { count: 1, unit: 'month' } }] });
    expect(metrics.cumulative_revenue).toEqual({ kind: 'cumulative', input: { metric: 'revenue' } });
    expect(metrics.food_revenue_pct).toMatchObject({ kind: 'ratio', denominator: { metric: 'revenue' } });
    expect(imported.lost.filter(({ what }) => !/: description$|^saved query/.test(what))).toEqual([
      expect.objectContaining({ what: 'metric cumulative_revenue: period_agg' }),
    ]);
  });
});
