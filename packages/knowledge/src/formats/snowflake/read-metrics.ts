import { snowflakeLexer } from '@askema/dialects';
import { replaceSpans } from '../../expression/replace-spans.ts';
import type { MetricDefinition, NonAdditive } from '../../model/metric-definition.ts';
import type { Metric } from '../../model/semantic-model.ts';
import { type NameInExpression, readExpressionText, writtenIn } from '../expression-text.ts';
import type { Path } from '../read-yaml.ts';
import { isPrivate, synonymsOf } from './read-tables.ts';
import { READ_KEYS, type SnowflakeMetric } from './snowflake-file.ts';
import type { SourceFile } from './source-file.ts';

/** A metric with where it stands: in a table, or in the view. */
export interface MetricPlace {
  readonly table: string | undefined;
  readonly metric: SnowflakeMetric;
  readonly path: Path;
}

/** Names of metrics as they are found in expressions, with what they are called here. */
type NamedMetrics = ReadonlyMap<string, string>;

/**
 * Metrics of the tables and of the view. One that names others outside of aggregates is derived from them.
 *
 * @param usedNames names of metrics of other files, in lower case; those of this one are added.
 */
export function readMetrics(source: SourceFile, places: readonly MetricPlace[], usedNames: Set<string>): Metric[] {
  const names = new Map<MetricPlace, string>();
  const known = new Map<string, string>();
  for (const place of places) {
    const { table, metric, path } = place;
    const name = freeName(metric.name, table, usedNames);
    usedNames.add(name.toLowerCase());
    names.set(place, name);
    if (table === undefined || !known.has(metric.name.toLowerCase())) known.set(metric.name.toLowerCase(), name);
    if (table !== undefined) known.set(`${table}.${metric.name}`.toLowerCase(), name);
    if (name !== metric.name)
      source.lose(
        [...path, 'name'],
        `metric ${metric.name}`,
        `Another metric has this name; it is called ${name} here.`,
      );
  }
  return places.flatMap((place) => readMetric(source, place, names.get(place) ?? place.metric.name, known));
}

function readMetric(source: SourceFile, place: MetricPlace, name: string, known: NamedMetrics): Metric[] {
  const { metric, path } = place;
  const definition = readDefinition(source, place, name, known);
  if (definition === undefined) return [];
  return [
    {
      name,
      description: metric.description ?? undefined,
      ai: synonymsOf(metric.synonyms),
      definition,
      isHidden: isPrivate(metric.access_modifier),
      extensions: source.keep(metric, READ_KEYS.metric, path, `metric ${name}`),
      standing: source.standing([...path, 'name']),
    },
  ];
}

function readDefinition(
  source: SourceFile,
  place: MetricPlace,
  name: string,
  known: NamedMetrics,
): MetricDefinition | undefined {
  const { metric, table, path } = place;
  const entry = `metric ${name}`;
  const text = readExpressionText(metric.expr, snowflakeLexer);
  const leaveOut = (reason: string): undefined => {
    source.lose([...path, 'expr'], entry, reason);
    return undefined;
  };
  if (text.hasWindow || text.hasQuery) return leaveOut('Window functions and queries in a metric are not read.');
  const inputs = text.names.flatMap((one) => {
    const found = one.isAggregated ? undefined : metricNamed(one, table, known);
    return found === undefined || found === name ? [] : [{ ...one, metric: found }];
  });
  const filter = metric.filter?.expr;
  if (inputs.length > 0) {
    if (text.hasAggregate)
      return leaveOut(
        'It mixes aggregates with other metrics. Make a metric of each aggregate, and derive this from them.',
      );
    return {
      kind: 'derived',
      expression: replaceSpans(metric.expr, inputs, (input) => input.metric),
      inputs: [...new Set(inputs.map((input) => input.metric))].map((one) => ({ metric: one })),
      filter,
    };
  }
  const dimensions = metric.non_additive_dimensions ?? [];
  if (dimensions.length > 1)
    return leaveOut('It cannot be added up over several dimensions; one is read (non_additive_dimensions).');
  for (const [index, one] of dimensions.entries())
    source.drop(
      one,
      ['table', 'dimension', 'sort_direction'],
      [...path, 'non_additive_dimensions', index],
      `${entry}: non_additive_dimensions`,
    );
  return {
    kind: 'aggregate',
    expressions: [writtenIn(metric.expr, 'SNOWFLAKE', snowflakeLexer)],
    dataset: table,
    filter,
    nonAdditive: dimensions.map(
      (one): NonAdditive => ({
        field: `${one.table ?? table ?? ''}.${one.dimension}`,
        // Rows are sorted by the dimension and the last of them count (release notes of 2026-03-05).
        choice: one.sort_direction?.toLowerCase().startsWith('desc') === true ? 'first' : 'last',
        within: [],
      }),
    )[0],
  };
}

function metricNamed(one: NameInExpression, table: string | undefined, known: NamedMetrics): string | undefined {
  const name = one.name.toLowerCase();
  if (one.qualifier !== undefined) return known.get(`${one.qualifier.toLowerCase()}.${name}`);
  return (table === undefined ? undefined : known.get(`${table.toLowerCase()}.${name}`)) ?? known.get(name);
}

function freeName(name: string, table: string | undefined, used: ReadonlySet<string>): string {
  const isFree = (candidate: string): boolean => !used.has(candidate.toLowerCase());
  if (isFree(name)) return name;
  const longer = table === undefined ? name : `${table}_${name}`;
  if (isFree(longer)) return longer;
  let number = 2;
  while (!isFree(`${longer}_${number}`)) number += 1;
  return `${longer}_${number}`;
}
