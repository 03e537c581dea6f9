import { stringify } from 'yaml';
import type { SemanticModel } from '../../../model/semantic-model.ts';
import type { TextFile } from '../../conversion.ts';

/** A library that lends books, in the legacy specification. Texts may be replaced: `[what, by]`. */
export function legacyLibrary(...changes: readonly (readonly [string, string])[]): TextFile[] {
  const text = changes.reduce((all, [what, by]) => {
    if (!all.includes(what)) throw new Error(`not in the project: ${what}`);
    return all.replace(what, by);
  }, LEGACY);
  return [{ path: 'models/library.yml', text }];
}

const LEGACY = `semantic_models:
  - name: loans
    model: ref('fct_loans')
    defaults:
      agg_time_dimension: lent_at
    entities:
      - { name: loan, type: primary, expr: loan_id }
      - { name: member, type: foreign, expr: member_id }
    dimensions:
      - { name: lent_at, type: time, type_params: { time_granularity: day } }
      - { name: returned_at, type: time, type_params: { time_granularity: day } }
      - { name: is_late, type: categorical, expr: returned_at > due_at, label: Late }
    measures:
      - { name: loan_count, agg: count, expr: 1 }
      - { name: fees, agg: sum, expr: fee + reminder_fee, agg_time_dimension: returned_at }
      - { name: high_fee, agg: percentile, expr: fee, agg_params: { percentile: 0.9, use_discrete_percentile: true } }
  - name: members
    model: ref('dim_members')
    defaults:
      agg_time_dimension: joined_at
    entities:
      - { name: member, type: primary, expr: member_id }
      - { name: branch, type: foreign, expr: branch_id }
    dimensions:
      - { name: joined_at, type: time, type_params: { time_granularity: month } }
      - { name: kind, type: categorical }
    measures:
      - name: balance
        agg: sum
        non_additive_dimension: { name: joined_at, window_choice: max, window_groupings: [branch] }
  - name: branches
    model: ref('branches')
    entities:
      - { name: branch, type: primary, expr: id }
    dimensions:
      - { name: city, type: categorical }
metrics:
  - { name: loans_made, label: Loans, type: simple, type_params: { measure: { name: loan_count, fill_nulls_with: 0 } } }
  - name: late_loans
    type: simple
    type_params: { measure: loan_count }
    filter: "{{ Dimension('loan__is_late') }} AND {{ Dimension('member__branch__city') }} = 'Bonn'"
  - { name: fee_total, type: simple, type_params: { measure: fees } }
  - { name: high_fee, type: simple, type_params: { measure: high_fee } }
  - { name: balance, type: simple, type_params: { measure: balance } }
  - name: late_share
    type: ratio
    filter: "{{ Dimension('member__kind') }} = 'adult'"
    type_params:
      numerator: late_loans
      denominator: { name: loans_made, filter: "{{ TimeDimension('loan__lent_at', 'month') }} > DATE '2024-01-01'" }
  - name: growth
    type: derived
    type_params:
      expr: now - before
      metrics:
        - { name: loans_made, alias: now }
        - { name: loans_made, alias: before, offset_window: 1 month }
        - { name: fee_total, offset_to_grain: year }
  - { name: recent_fees, type: cumulative, type_params: { measure: fees, cumulative_type_params: { window: 7 days, period_agg: last } } }
  - { name: fees_of_year, type: cumulative, type_params: { measure: fees, grain_to_date: year, period_agg: last } }
models:
  - name: dim_members
    columns:
      - { name: kind, description: Whom it is for., data_tests: [{ accepted_values: { values: [adult, child] } }] }
      - { name: balance, description: What the member owes. }
  - name: days
    time_spine: { standard_granularity_column: day }
    columns: [{ name: day, granularity: day }]
`;

/** The same in the latest specification. */
export const latestLibrary: TextFile[] = [
  {
    path: 'models/library.yml',
    text: stringify({
      models: [
        {
          name: 'fct_loans',
          semantic_model: { enabled: true, name: 'loans' },
          agg_time_dimension: 'lent_at',
          columns: [
            { name: 'loan_id', entity: { type: 'primary', name: 'loan' } },
            { name: 'member_id', entity: { type: 'foreign', name: 'member' } },
            { name: 'lent_at', granularity: 'day', dimension: 'time' },
            { name: 'returned_at', granularity: 'day', dimension: { type: 'time' } },
          ],
          derived_semantics: {
            dimensions: [{ name: 'is_late', type: 'categorical', expr: 'returned_at > due_at', label: 'Late' }],
          },
          metrics: [
            { name: 'loans_made', label: 'Loans', type: 'simple', agg: 'count', expr: 1, fill_nulls_with: 0 },
            {
              name: 'late_loans',
              type: 'simple',
              agg: 'count',
              expr: 1,
              filter: "{{ Dimension('loan__is_late') }} AND {{ Dimension('member__branch__city') }} = 'Bonn'",
            },
            {
              name: 'fee_total',
              type: 'simple',
              agg: 'sum',
              expr: 'fee + reminder_fee',
              agg_time_dimension: 'returned_at',
            },
            { name: 'high_fee', agg: 'percentile', expr: 'fee', percentile: 90, percentile_type: 'discrete' },
            {
              name: 'recent_fees',
              type: 'cumulative',
              input_metric: 'fee_total',
              window: '7 days',
              period_agg: 'last',
            },
            {
              name: 'fees_of_year',
              type: 'cumulative',
              input_metric: { name: 'fee_total' },
              grain_to_date: 'year',
              period_agg: 'last',
            },
          ],
        },
        {
          name: 'dim_members',
          semantic_model: { name: 'members' },
          agg_time_dimension: 'joined_at',
          columns: [
            { name: 'member_id', entity: { type: 'primary', name: 'member' } },
            { name: 'branch_id', entity: { type: 'foreign', name: 'branch' } },
            { name: 'joined_at', granularity: 'month', dimension: { type: 'time' } },
            {
              name: 'kind',
              description: 'Whom it is for.',
              dimension: { type: 'categorical' },
              data_tests: [{ accepted_values: { arguments: { values: ['adult', 'child'] } } }],
            },
            { name: 'balance', description: 'What the member owes.' },
          ],
          metrics: [
            {
              name: 'balance',
              type: 'simple',
              agg: 'sum',
              non_additive_dimension: { name: 'joined_at', window_agg: 'max', group_by: ['branch'] },
            },
          ],
        },
        {
          name: 'branches',
          semantic_model: true,
          columns: [
            { name: 'id', entity: { type: 'primary', name: 'branch' } },
            { name: 'city', dimension: { type: 'categorical' } },
          ],
        },
        {
          name: 'days',
          time_spine: { standard_granularity_column: 'day' },
          columns: [{ name: 'day', granularity: 'day' }],
        },
      ],
      metrics: [
        {
          name: 'late_share',
          type: 'ratio',
          filter: "{{ Dimension('member__kind') }} = 'adult'",
          numerator: 'late_loans',
          denominator: {
            name: 'loans_made',
            filter: "{{ TimeDimension('loan__lent_at', 'month') }} > DATE '2024-01-01'",
          },
        },
        {
          name: 'growth',
          type: 'derived',
          expr: 'now - before',
          input_metrics: [
            { name: 'loans_made', alias: 'now' },
            { name: 'loans_made', alias: 'before', offset_window: '1 month' },
            { name: 'fee_total', offset_to_grain: 'year' },
          ],
        },
      ],
    }),
  },
];

/** What a model says, without where it stands and in which order. */
export function meaningOf(model: SemanticModel | undefined): unknown {
  const byName = (list: readonly { readonly name: string }[]) => [...list].sort((a, b) => (a.name < b.name ? -1 : 1));
  const plain = JSON.parse(JSON.stringify(model, (key, value) => (key === 'standing' ? undefined : value)));
  return {
    ...plain,
    name: undefined,
    datasets: byName(plain.datasets).map((dataset) => ({
      ...dataset,
      fields: byName((dataset as unknown as { fields: { name: string }[] }).fields),
    })),
    relationships: byName(plain.relationships),
    metrics: byName(plain.metrics),
  };
}
