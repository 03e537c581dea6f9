import { z } from 'zod';

/*
 * The keys of dbt's semantic layer that mean something here, of three ways to write it: the legacy specification (dbt Core
 * 1.6 to 1.12), the latest one (1.12), and `semantic_manifest.json` of dbt-semantic-interfaces. A manifest writes null
 * where nothing is said.
 */

const text = z.string().nullish();
const flag = z.boolean().nullish();
const sql = z.union([z.string(), z.number(), z.boolean()]).nullish();
const config = z.looseObject({ meta: z.looseObject({ owner: text }).nullish(), enabled: flag }).nullish();

const filter = z
  .union([
    z.string(),
    z.array(z.string()),
    z.looseObject({ where_filters: z.array(z.looseObject({ where_sql_template: z.string() })) }),
  ])
  .nullish();
const window = z.union([z.string(), z.looseObject({ count: z.number().int(), granularity: z.string() })]).nullish();
const input = z.union([
  z.string(),
  z.looseObject({
    name: z.string(),
    alias: text,
    filter,
    offset_window: window,
    offset_to_grain: text,
    fill_nulls_with: z.number().nullish(),
    join_to_timespine: flag,
  }),
]);

export const entityTypes = z.enum(['primary', 'unique', 'foreign', 'natural']);

export const entitySchema = z.looseObject({
  name: z.string(),
  type: z.string(),
  expr: sql,
  label: text,
  description: text,
  config,
});

export const dimensionSchema = z.looseObject({
  name: z.string(),
  type: z.string(),
  expr: sql,
  label: text,
  description: text,
  config,
  granularity: text,
  type_params: z.looseObject({ time_granularity: text, validity_params: z.unknown().optional() }).nullish(),
});

const nonAdditive = z
  .looseObject({
    name: z.string(),
    window_choice: z.string().nullish(),
    window_groupings: z.array(z.string()).nullish(),
    window_agg: z.string().nullish(),
    group_by: z.array(z.string()).nullish(),
  })
  .nullish();
const aggregationParameters = z
  .looseObject({
    percentile: z.number().nullish(),
    use_discrete_percentile: flag,
    use_approximate_percentile: flag,
  })
  .nullish();

export const measureSchema = z.looseObject({
  name: z.string(),
  agg: z.string(),
  expr: sql,
  agg_params: aggregationParameters,
  agg_time_dimension: text,
  non_additive_dimension: nonAdditive,
  create_metric: flag,
  label: text,
  description: text,
  config,
  percentile: z.number().nullish(),
  percentile_type: text,
});

export const semanticModelSchema = z.looseObject({
  name: z.string(),
  description: text,
  model: text,
  node_relation: z.looseObject({ alias: z.string(), schema_name: text, database: text, relation_name: text }).nullish(),
  defaults: z.looseObject({ agg_time_dimension: text }).nullish(),
  primary_entity: text,
  entities: z.array(z.unknown()).nullish(),
  dimensions: z.array(z.unknown()).nullish(),
  measures: z.array(z.unknown()).nullish(),
  config,
});

const metricParameters = {
  measure: input.nullish(),
  numerator: input.nullish(),
  denominator: input.nullish(),
  metrics: z.array(input).nullish(),
  input_metrics: z.array(input).nullish(),
  input_metric: input.nullish(),
  expr: sql,
  window,
  grain_to_date: text,
  period_agg: text,
  cumulative_type_params: z
    .looseObject({ window, grain_to_date: text, period_agg: text, metric: input.nullish() })
    .nullish(),
  metric_aggregation_params: z
    .looseObject({
      semantic_model: z.string(),
      agg: z.string(),
      agg_params: aggregationParameters,
      agg_time_dimension: text,
      non_additive_dimension: nonAdditive,
      expr: sql,
    })
    .nullish(),
  fill_nulls_with: z.number().nullish(),
  join_to_timespine: flag,
};

export const metricSchema = z.looseObject({
  name: z.string(),
  type: text,
  label: text,
  description: text,
  filter,
  config,
  agg: text,
  agg_time_dimension: text,
  non_additive_dimension: nonAdditive,
  percentile: z.number().nullish(),
  percentile_type: text,
  // Conversion metrics are lost as a whole.
  type_params: z.looseObject({ ...metricParameters, conversion_type_params: z.unknown().optional() }).nullish(),
  ...metricParameters,
});

const columnTests = z.array(z.unknown()).nullish();

export const columnSchema = z.looseObject({
  name: z.string(),
  description: text,
  data_tests: columnTests,
  tests: columnTests,
  granularity: text,
  entity: z.unknown().optional(),
  dimension: z.unknown().optional(),
});

export const modelSchema = z.looseObject({
  name: z.string(),
  description: text,
  config: z.looseObject({ alias: text }).nullish(),
  columns: z.array(z.unknown()).nullish(),
  time_spine: z.looseObject({ standard_granularity_column: z.string() }).nullish(),
  semantic_model: z.union([z.boolean(), z.looseObject({ enabled: flag, name: text, config })]).nullish(),
  agg_time_dimension: text,
  primary_entity: text,
  derived_semantics: z
    .looseObject({ entities: z.array(z.unknown()).nullish(), dimensions: z.array(z.unknown()).nullish() })
    .nullish(),
  metrics: z.array(z.unknown()).nullish(),
});

export const manifestConfigurationSchema = z.looseObject({
  time_spines: z
    .array(
      z.looseObject({
        node_relation: z.looseObject({ alias: z.string(), schema_name: text, database: text }),
        primary_column: z.looseObject({ name: z.string(), time_granularity: z.string() }),
      }),
    )
    .nullish(),
  time_spine_table_configurations: z
    .array(z.looseObject({ location: z.string(), column_name: z.string(), grain: z.string() }))
    .nullish(),
});
