import { z } from 'zod';

/**
 * A semantic view as YAML, and the older semantic model of Cortex Analyst, which has the same shape
 * (https://docs.snowflake.com/en/user-guide/views-semantic/semantic-view-yaml-spec; semantic_model.proto of
 * Snowflake-Labs/semantic-model-generator). Objects are open: what stands in them beside these keys is kept.
 */

const text = z.string().nullish();
const flag = z.boolean().nullish();
/** YAML reads 501 as a number where the author means a text. */
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const texts = z.array(z.string()).nullish();
/** A name of an object of Snowflake, which quotes both ends of a name or none. */
const name = z.string().min(1).refine(hasPairedQuotes, { message: 'a quote is opened and not closed' });

/** Values of these types are no dimension and nothing to add up. */
const STRUCTURED = /^(OBJECT|ARRAY|VARIANT|MAP|GEOGRAPHY|GEOMETRY|VECTOR)\b/i;
const dataType = z
  .string()
  .refine((type) => !STRUCTURED.test(type), { message: 'columns of this type cannot stand in a semantic view' })
  .nullish();

const access = z.enum(['private_access', 'public_access', 'private', 'public']).nullish();
const aggregation = z.enum(['sum', 'avg', 'median', 'min', 'max', 'count', 'count_distinct']).nullish();

const column = z.looseObject({
  name,
  synonyms: texts,
  description: text,
  expr: z.string(),
  data_type: dataType,
  unique: flag,
  sample_values: z.array(scalar).nullish(),
  is_enum: flag,
  access_modifier: access,
  default_aggregation: aggregation,
});

const filter = z.looseObject({ name, synonyms: texts, description: text, expr: z.string() });

const metric = z.looseObject({
  name,
  synonyms: texts,
  description: text,
  expr: z.string(),
  access_modifier: access,
  filter: z.looseObject({ expr: z.string() }).nullish(),
  non_additive_dimensions: z
    .array(z.looseObject({ table: text, dimension: z.string(), sort_direction: text, null_order: text }))
    .nullish(),
});

const key = z.looseObject({ columns: z.array(z.string()).min(1) });

const table = z.looseObject({
  name,
  synonyms: texts,
  description: text,
  base_table: z.looseObject({ database: text, schema: text, table: z.string().min(1) }),
  primary_key: key.nullish(),
  unique_keys: z.array(key).nullish(),
  dimensions: z.array(column).nullish(),
  time_dimensions: z.array(column).nullish(),
  facts: z.array(column).nullish(),
  measures: z.array(column).nullish(),
  filters: z.array(filter).nullish(),
  metrics: z.array(metric).nullish(),
});

const relationship = z.looseObject({
  name,
  left_table: z.string(),
  right_table: z.string(),
  relationship_columns: z.array(z.looseObject({ left_column: z.string(), right_column: z.string() })).nullish(),
  join_type: z.enum(['inner', 'left_outer', 'full_outer', 'cross', 'right_outer']).nullish(),
  relationship_type: z.enum(['one_to_one', 'many_to_one', 'one_to_many', 'many_to_many']).nullish(),
});

const verifiedQuery = z.looseObject({
  name: z.string(),
  question: z.string(),
  sql: z.string(),
  /** Seconds since 1970, also as a text. */
  verified_at: z.coerce.number().int().nonnegative().nullish(),
  verified_by: text,
  use_as_onboarding_question: flag,
});

export const snowflakeFile = z.looseObject({
  name,
  description: text,
  tables: z.array(table).min(1),
  relationships: z.array(relationship).nullish(),
  metrics: z.array(metric).nullish(),
  verified_queries: z.array(verifiedQuery).nullish(),
  custom_instructions: text,
  module_custom_instructions: z.looseObject({ sql_generation: text, question_categorization: text }).nullish(),
});

export type SnowflakeFile = z.output<typeof snowflakeFile>;
export type SnowflakeTable = z.output<typeof table>;
export type SnowflakeColumn = z.output<typeof column>;
export type SnowflakeMetric = z.output<typeof metric>;
export type SnowflakeRelationship = z.output<typeof relationship>;
export type SnowflakeQuery = z.output<typeof verifiedQuery>;

/** Keys that stand for a part of our model; the others of an object are kept in an extension. */
export const READ_KEYS = {
  file: Object.keys(snowflakeFile.shape),
  table: Object.keys(table.shape),
  column: Object.keys(column.shape).filter((one) => one !== 'default_aggregation'),
  metric: Object.keys(metric.shape),
  filter: Object.keys(filter.shape),
  relationship: Object.keys(relationship.shape),
  query: Object.keys(verifiedQuery.shape),
};

function hasPairedQuotes(value: string): boolean {
  return value.split('"').length % 2 === 1;
}
