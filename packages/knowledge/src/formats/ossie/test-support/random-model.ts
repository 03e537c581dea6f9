import fc from 'fast-check';
import type { MetricDefinition, MetricInput } from '../../../model/metric-definition.ts';
import {
  type AiContext,
  type Dataset,
  type Extension,
  type Field,
  type Metric,
  type NamedFilter,
  type Relationship,
  type SemanticModel,
  TIME_GRAINS,
} from '../../../model/semantic-model.ts';
import type { Standing } from '../../../model/standing.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
/** Texts that YAML and JSON could trip over. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '\t', '\r', '"', "'", ':', '#', '-', '{', '\\', '|', '\u2028', '\0'),
  }),
  fc.constantFrom(
    'yes',
    'null',
    '0x1F',
    '2024-01-01',
    '1e3',
    '~',
    '<<',
    '- a',
    '? b',
    'a: b',
    '\n\n',
    ' lead',
    '%YAML',
  ),
);
const sql = fc.constantFrom('SUM(a.x)', 'COUNT(*)', "a.x = 'it''s' -- no\n", 'a."X y"', 'CASE WHEN a.x > 1 THEN 1 END');
const grain = fc.constantFrom(...TIME_GRAINS);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const few = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(value, { maxLength: 3 });
const named = <T extends { readonly name: string }>(value: fc.Arbitrary<T>, minLength = 0): fc.Arbitrary<T[]> =>
  fc.uniqueArray(value, { maxLength: 3, minLength, selector: (one) => one.name });

const ai: fc.Arbitrary<AiContext> = fc.oneof(
  text.map((instructions) => ({ instructions, synonyms: [], examples: [], isText: true as const })),
  fc.record({
    instructions: maybe(text),
    synonyms: few(text),
    examples: few(text),
    other: maybe(fc.dictionary(fc.constantFrom('tone', 'x'), fc.oneof(text, fc.integer(), few(text)), { minKeys: 1 })),
  }),
);
/** What old releases of Ossie name comes first, then what new ones do, as in files that were written here. */
const VENDORS = ['SNOWFLAKE', 'COMMON', 'GSF', 'Ünï'];
const DIALECTS = ['ANSI_SQL', 'SNOWFLAKE', 'BIGQUERY', 'SQLITE', 'POSTGRES'];
const extensions: fc.Arbitrary<Extension[]> = few(
  fc.record({ vendor: fc.constantFrom(...VENDORS), data: fc.oneof(fc.json(), text) }),
).map((all) => all.toSorted((a, b) => VENDORS.indexOf(a.vendor) - VENDORS.indexOf(b.vendor)));
const expressions = fc
  .uniqueArray(fc.record({ dialect: fc.constantFrom(...DIALECTS), expression: fc.oneof(sql, text) }), {
    minLength: 1,
    maxLength: 3,
    selector: ({ dialect }) => dialect,
  })
  .map((all) => all.toSorted((a, b) => DIALECTS.indexOf(a.dialect) - DIALECTS.indexOf(b.dialect)));

const standing: fc.Arbitrary<Standing> = maybe(text).map((owner) => ({
  state: 'accepted',
  source: 'file',
  owner,
  place: { file: 'm.ossie.yaml' },
}));
const type = maybe(fc.constantFrom('String' as const, 'Integer' as const, 'DateTimeTz' as const));

const field: fc.Arbitrary<Field> = fc
  .record({
    name,
    expressions,
    dimension: maybe(fc.record({ isTime: maybe(fc.boolean()) })),
    label: maybe(text),
    description: maybe(text),
    type,
    ai: maybe(ai),
    unit: maybe(text),
    values: few(
      fc.record({ value: fc.oneof(text, fc.integer(), fc.boolean()), meaning: maybe(text), synonyms: few(text) }),
    ),
    timeGrain: maybe(grain),
    isHidden: maybe(fc.boolean()),
    format: maybe(text),
    extensions,
  })
  // What Ossie takes for granted.
  .map((one) =>
    one.dimension !== undefined && one.type === 'DateTimeTz'
      ? { ...one, dimension: { isTime: one.dimension.isTime ?? true } }
      : one,
  );

const dataset: fc.Arbitrary<Dataset> = fc.record({
  name,
  source: text,
  primaryKey: few(text),
  uniqueKeys: few(few(text)),
  description: maybe(text),
  ai: maybe(ai),
  fields: named(field),
  grain: maybe(text),
  defaultFilter: maybe(sql),
  defaultTime: maybe(text),
  isCertified: maybe(fc.boolean()),
  extensions,
  standing,
});

const columns = fc.array(text, { minLength: 1, maxLength: 2 });
const relationship: fc.Arbitrary<Relationship> = columns.chain((fromColumns) =>
  fc.record({
    name,
    from: text,
    to: text,
    fromColumns: fc.constant(fromColumns),
    toColumns: fc.constant(fromColumns),
    ai: maybe(ai),
    isOneToOne: maybe(fc.boolean()),
    extensions,
    standing,
  }),
);

const span = fc.record({ count: fc.integer({ min: 1, max: 90 }), unit: grain });
const input: fc.Arbitrary<MetricInput> = fc.record({
  metric: name,
  alias: maybe(text),
  filter: maybe(sql),
  offset: maybe(span),
  offsetToGrain: maybe(grain),
});
const base = { filter: maybe(sql), empty: maybe(fc.constantFrom('zero' as const, 'null' as const)) };
const definition: fc.Arbitrary<MetricDefinition> = fc.oneof(
  fc.record({
    kind: fc.constant('aggregate' as const),
    expressions,
    dataset: maybe(text),
    time: maybe(text),
    nonAdditive: maybe(
      fc.record({ field: text, choice: fc.constantFrom('first' as const, 'last' as const), within: few(text) }),
    ),
    ...base,
  }),
  fc.record({ kind: fc.constant('ratio' as const), numerator: input, denominator: input, ...base }),
  fc.record({ kind: fc.constant('derived' as const), expression: text, inputs: few(input), ...base }),
  fc.record({
    kind: fc.constant('cumulative' as const),
    input,
    window: maybe(span),
    grainToDate: maybe(grain),
    ...base,
  }),
);
const metric: fc.Arbitrary<Metric> = fc.record({
  name,
  label: maybe(text),
  description: maybe(text),
  type,
  ai: maybe(ai),
  definition,
  unit: maybe(text),
  isHidden: maybe(fc.boolean()),
  extensions,
  standing,
});
const filter: fc.Arbitrary<NamedFilter> = fc.record({
  name,
  dataset: text,
  condition: sql,
  description: maybe(text),
  synonyms: few(text),
  standing,
});

/** Models that hold everything that the types allow, with names that are unique without case. */
export const randomModel: fc.Arbitrary<SemanticModel> = fc.record({
  name,
  description: maybe(text),
  ai: maybe(ai),
  datasets: named(dataset, 1),
  relationships: named(relationship),
  metrics: named(metric),
  filters: named(filter),
  timeSpine: maybe(fc.record({ source: text, column: text, grain })),
  extensions,
  standing,
});

/** A model without the places of its entries: a file that was written anew has others. */
export function withoutPlaces<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === 'place' ? undefined : each))) as T;
}
