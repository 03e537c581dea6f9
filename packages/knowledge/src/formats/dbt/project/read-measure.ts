import type { z } from 'zod';
import { TIME_GRAINS, type TimeGrain } from '../../../model/semantic-model.ts';
import type { Path } from '../../read-yaml.ts';
import type { DbtInput, DbtMeasure, DbtWindow } from './dbt-project.ts';
import type { measureSchema, metricSchema } from './dbt-schemas.ts';
import { lose, placeOf, prose, type Reading } from './reading.ts';

type Written = Pick<
  z.output<typeof measureSchema>,
  'agg' | 'agg_params' | 'agg_time_dimension' | 'expr' | 'non_additive_dimension' | 'percentile' | 'percentile_type'
> & { readonly label?: string | null | undefined; readonly description?: string | null | undefined };

/** An aggregation of a semantic model, of a measure or of a metric without one. */
export function readMeasure(reading: Reading, name: string, written: Written, path: Path, what: string): DbtMeasure {
  const nonAdditive = written.non_additive_dimension;
  const choice = nonAdditive?.window_choice ?? nonAdditive?.window_agg;
  const percentile = written.agg_params?.percentile ?? written.percentile;
  if (written.agg_params?.use_approximate_percentile === true)
    lose(reading, `${what}: use_approximate_percentile`, path, 'percentiles are exact here');
  return {
    name,
    aggregation: written.agg.toLowerCase(),
    expr: String(written.expr ?? name).trim(),
    // The latest specification counts to 100, the legacy one to 1.
    percentile: percentile == null ? undefined : percentile > 1 ? percentile / 100 : percentile,
    isDiscrete: written.agg_params?.use_discrete_percentile === true || written.percentile_type === 'discrete',
    time: written.agg_time_dimension ?? undefined,
    nonAdditive:
      nonAdditive == null
        ? undefined
        : {
            dimension: nonAdditive.name,
            // dbt-semantic-interfaces takes the minimum where nothing is said.
            choice: choice?.toLowerCase() === 'max' ? 'last' : 'first',
            entities: nonAdditive.window_groupings ?? nonAdditive.group_by ?? [],
          },
    label: written.label ?? undefined,
    description: prose(reading, written.description, [...path, 'description'], `${what}: description`),
    isMetric: false,
    place: placeOf(reading, path),
  };
}

type WrittenInput = NonNullable<z.output<typeof metricSchema>['input_metric']>;

export function readInput(written: WrittenInput): DbtInput {
  if (typeof written === 'string')
    return { name: written, alias: undefined, filters: [], offset: undefined, offsetToGrain: undefined };
  return {
    name: written.name,
    alias: written.alias ?? undefined,
    filters: readFilters(written.filter),
    offset: readWindow(written.offset_window),
    offsetToGrain: written.offset_to_grain?.toLowerCase() ?? undefined,
  };
}

export function readFilters(written: z.output<typeof metricSchema>['filter']): readonly string[] {
  if (written == null) return [];
  if (typeof written === 'string') return [written];
  return Array.isArray(written) ? written : written.where_filters.map((filter) => filter.where_sql_template);
}

/** `7 days`, or the parts of it. A text without a number counts 0 units, which no window has. */
export function readWindow(written: z.output<typeof metricSchema>['window']): DbtWindow | undefined {
  if (written == null) return undefined;
  if (typeof written !== 'string') return { count: written.count, unit: singular(written.granularity) };
  const [, count = '0', unit = written] = /^\s*(\d+)\s+(\w+)\s*$/.exec(written) ?? [];
  return { count: Number(count), unit: singular(unit) };
}

/** A grain of dbt that is one here, or undefined: dbt has finer ones and lets projects define their own. */
export function timeGrain(written: string | null | undefined): TimeGrain | undefined {
  const wanted = written?.toLowerCase();
  return TIME_GRAINS.find((grain) => grain === wanted);
}

function singular(unit: string): string {
  return unit.toLowerCase().replace(/s$/, '');
}
