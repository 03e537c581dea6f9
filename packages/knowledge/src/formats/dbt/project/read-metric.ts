import type { z } from 'zod';
import type { Path } from '../../read-yaml.ts';
import type { DbtMetric } from './dbt-project.ts';
import { metricSchema } from './dbt-schemas.ts';
import { readFilters, readInput, readMeasure, readWindow } from './read-measure.ts';
import { lose, placeOf, prose, type Reading, take } from './reading.ts';

/** A metric of any specification; `model` is the semantic model below which it is written. */
export function readMetric(
  reading: Reading,
  value: unknown,
  path: Path,
  model: string | undefined,
): DbtMetric | undefined {
  const written = take(reading, metricSchema, value, path, 'metric');
  if (written === undefined) return undefined;
  const what = `metric ${written.name}`;
  const type = (written.type ?? 'simple').toLowerCase();
  // The legacy specification has below `type_params` what the latest one has beside it.
  const given = Object.entries(written).filter(([, one]) => one != null);
  const own = { ...written.type_params, ...Object.fromEntries(given) } as z.output<typeof metricSchema>;
  if (type === 'conversion') {
    lose(reading, `${what}: conversion`, path, 'metrics of conversions are not computed here');
    return undefined;
  }
  if (isDisabled(written.config)) {
    lose(reading, what, path, 'it is switched off in the project');
    return undefined;
  }
  const measure = own.measure ?? undefined;
  const empties = [own, typeof measure === 'object' ? measure : undefined];
  loseEmpties(reading, empties, path, what);
  const cumulative = own.cumulative_type_params;
  const input = own.input_metric ?? cumulative?.metric;
  return {
    name: written.name,
    type,
    label: written.label ?? undefined,
    description: prose(reading, written.description, [...path, 'description'], `${what}: description`),
    owner: ownerOf(written.config),
    filters: readFilters(written.filter),
    measure: measure == null ? undefined : readInput(measure),
    aggregate: readAggregate(reading, own, path, model, what),
    inputs: (own.input_metrics ?? own.metrics ?? []).map(readInput),
    numerator: own.numerator == null ? undefined : readInput(own.numerator),
    denominator: own.denominator == null ? undefined : readInput(own.denominator),
    expr: own.expr == null ? undefined : String(own.expr),
    input: input == null ? undefined : readInput(input),
    window: readWindow(cumulative?.window ?? own.window),
    grainToDate: (cumulative?.grain_to_date ?? own.grain_to_date)?.toLowerCase(),
    periodAggregation: (cumulative?.period_agg ?? own.period_agg)?.toLowerCase(),
    isZeroWhenEmpty: empties.some((one) => one?.fill_nulls_with === 0),
    place: placeOf(reading, path),
  };
}

function readAggregate(
  reading: Reading,
  written: z.output<typeof metricSchema>,
  path: Path,
  model: string | undefined,
  what: string,
): DbtMetric['aggregate'] {
  const inManifest = written.metric_aggregation_params;
  if (inManifest != null && written.measure == null)
    return { model: inManifest.semantic_model, measure: readMeasure(reading, written.name, inManifest, path, what) };
  const { agg } = written;
  if (agg == null || model === undefined) return undefined;
  return { model, measure: readMeasure(reading, written.name, { ...written, agg, agg_params: null }, path, what) };
}

type Empties = { readonly fill_nulls_with?: unknown; readonly join_to_timespine?: unknown } | undefined;

function loseEmpties(reading: Reading, given: readonly Empties[], path: Path, what: string): void {
  for (const one of given) {
    if (typeof one?.fill_nulls_with === 'number' && one.fill_nulls_with !== 0)
      lose(reading, `${what}: fill_nulls_with`, path, `groups without rows are NULL or 0, not ${one.fill_nulls_with}`);
    if (one?.join_to_timespine === true)
      lose(reading, `${what}: join_to_timespine`, path, 'who asks says whether periods without rows appear: fillGaps');
  }
}

type Config = z.output<typeof metricSchema>['config'];

export function isDisabled(config: Config): boolean {
  return config?.enabled === false;
}

export function ownerOf(config: Config): string | undefined {
  const owner = config?.meta?.owner;
  return typeof owner === 'string' ? owner : undefined;
}
