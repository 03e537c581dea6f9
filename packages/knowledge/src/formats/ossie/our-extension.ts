import { z } from 'zod';
import { TIME_GRAINS } from '../../model/semantic-model.ts';

const grain = z.enum(TIME_GRAINS as readonly ['day', ...('week' | 'month' | 'quarter' | 'year')[]]);
const text = z.string();
const span = z.object({ count: z.int().min(1), unit: grain });
const input = z.union([
  text,
  z.object({
    metric: text,
    alias: text.optional(),
    filter: text.optional(),
    offset: span.optional(),
    offset_to_grain: grain.optional(),
  }),
]);
const scalar = z.union([text, z.number(), z.boolean()]);

/** What stands in every extension of ours where the release of Ossie has no place for it. */
const common = {
  /** Extensions of vendors that the release does not know. */
  extensions: z.array(z.object({ vendor_name: text, data: text })).optional(),
};
const expressions = z
  .array(z.object({ dialect: text, expression: text }))
  .min(1)
  .optional();
const datatype = z
  .enum(['String', 'Integer', 'Decimal', 'Float', 'Boolean', 'Date', 'Time', 'DateTime', 'DateTimeTz', 'Opaque'])
  .optional();

const modelExtension = z.object({
  ...common,
  /** Who said what stands in the model: `dbt`, `catalog`. */
  source: text.optional(),
  owner: text.optional(),
  filters: z
    .array(
      z.object({
        name: text,
        dataset: text,
        condition: text,
        description: text.optional(),
        synonyms: z.array(text).optional(),
        owner: text.optional(),
      }),
    )
    .optional(),
  time_spine: z.object({ source: text, column: text, grain }).optional(),
});

const datasetExtension = z.object({
  ...common,
  grain: text.optional(),
  default_filter: text.optional(),
  default_time: text.optional(),
  certified: z.boolean().optional(),
  owner: text.optional(),
});

const fieldExtension = z.object({
  ...common,
  unit: text.optional(),
  values: z
    .array(z.union([scalar, z.object({ value: scalar, meaning: text.optional(), synonyms: z.array(text).optional() })]))
    .optional(),
  time_grain: grain.optional(),
  hidden: z.boolean().optional(),
  format: text.optional(),
  datatype,
  /** In dialects that Ossie has no name for. */
  expressions,
  /** False: the expression outside of the extension stands for nothing. */
  complete: z.boolean().optional(),
});

const relationshipExtension = z.object({ ...common, one_to_one: z.boolean().optional(), owner: text.optional() });

const metricExtension = z.object({
  ...common,
  type: z.enum(['aggregate', 'simple', 'ratio', 'derived', 'cumulative']).optional(),
  dataset: text.optional(),
  time: text.optional(),
  non_additive: z
    .object({ field: text, choice: z.enum(['first', 'last']), within: z.array(text).optional() })
    .optional(),
  inputs: z.array(input).optional(),
  numerator: input.optional(),
  denominator: input.optional(),
  input: input.optional(),
  expression: text.optional(),
  filter: text.optional(),
  window: span.optional(),
  grain_to_date: grain.optional(),
  empty: z.enum(['zero', 'null']).optional(),
  unit: text.optional(),
  label: text.optional(),
  hidden: z.boolean().optional(),
  owner: text.optional(),
  datatype,
  expressions,
  /** False: the expression outside of the extension is not the metric, and other tools cannot compute it. */
  complete: z.boolean().optional(),
});

/** What the extension of vendor `ASKEMA` holds, by the object that carries it. */
export const OUR_EXTENSION = {
  model: modelExtension,
  dataset: datasetExtension,
  field: fieldExtension,
  relationship: relationshipExtension,
  metric: metricExtension,
};

export type Carrier = keyof typeof OUR_EXTENSION;
export type OurExtension<C extends Carrier> = z.infer<(typeof OUR_EXTENSION)[C]>;
export type WrittenInput = z.infer<typeof input>;
