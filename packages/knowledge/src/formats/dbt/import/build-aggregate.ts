import { didYouMean } from '@askema/core';
import { ansiLexer } from '@askema/dialects';
import { tryParseExpression } from '../../../expression/parse-expression.ts';
import { replaceSpans } from '../../../expression/replace-spans.ts';
import { columnsIn } from '../../../expression/walk-expression.ts';
import type { Aggregate, NonAdditive } from '../../../model/metric-definition.ts';
import { sameName } from '../../../model/same-name.ts';
import { ansi } from '../../../model/semantic-model.ts';
import { quotedName } from '../../quoted-name.ts';
import type { DbtMeasure } from '../project/dbt-project.ts';
import { Unsayable } from '../unsayable.ts';
import type { BuiltDataset } from './build-datasets.ts';

/**
 * A measure as an aggregate over fields of its dataset.
 *
 * @throws Unsayable where a part of it cannot be carried over.
 */
export function buildAggregate(built: BuiltDataset, measure: DbtMeasure): Aggregate {
  const call = callOf(measure, qualifyColumns(measure.expr, built));
  const time = timeOf(built, measure);
  const nonAdditive = nonAdditiveOf(built, measure);
  return {
    kind: 'aggregate',
    expressions: ansi(call),
    dataset: built.dataset.name,
    ...(time !== undefined && { time }),
    ...(nonAdditive !== undefined && { nonAdditive }),
    // No rows are 0 rows, whatever the tool fills gaps with.
    ...(call.startsWith('COUNT(') && { empty: 'zero' }),
  };
}

const CALLS: Readonly<Record<string, (value: string) => string>> = {
  // How dbt's own examples count rows.
  sum: (value) => (value === '1' ? 'COUNT(*)' : `SUM(${value})`),
  min: (value) => `MIN(${value})`,
  max: (value) => `MAX(${value})`,
  average: (value) => `AVG(${value})`,
  median: (value) => `MEDIAN(${value})`,
  count: (value) => (/^(1|\*)$/.test(value) ? 'COUNT(*)' : `COUNT(${value})`),
  count_distinct: (value) => `COUNT(DISTINCT ${value})`,
  sum_boolean: (value) => `SUM(CASE WHEN ${value} THEN 1 ELSE 0 END)`,
};

function callOf(measure: DbtMeasure, value: string): string {
  const { aggregation, percentile, isDiscrete } = measure;
  if (aggregation === 'percentile') {
    if (percentile === undefined) throw new Unsayable('it does not say which percentile it takes');
    return `PERCENTILE_${isDiscrete ? 'DISC' : 'CONT'}(${percentile}) WITHIN GROUP (ORDER BY ${value})`;
  }
  const call = Object.hasOwn(CALLS, aggregation) ? CALLS[aggregation] : undefined;
  if (call !== undefined) return call(value);
  const hint = didYouMean(aggregation, [...Object.keys(CALLS), 'percentile']);
  throw new Unsayable(`\`${aggregation}\` is no aggregation of dbt. ${hint}`.trim());
}

/** The measure's own time as `dataset.field`; undefined where it is that of the dataset. */
function timeOf(built: BuiltDataset, measure: DbtMeasure): string | undefined {
  if (measure.time === undefined) return undefined;
  const field = dimensionOf(built, measure.time);
  return field === built.dataset.defaultTime ? undefined : `${built.dataset.name}.${field}`;
}

function nonAdditiveOf(built: BuiltDataset, measure: DbtMeasure): NonAdditive | undefined {
  const written = measure.nonAdditive;
  if (written === undefined) return undefined;
  const { name } = built.dataset;
  const field = dimensionOf(built, written.dimension);
  const within = written.entities.map((entity) => {
    const key = built.entities.get(entity.toLowerCase());
    if (key === undefined) throw new Unsayable(`${name} has no entity \`${entity}\``);
    return `${name}.${key}`;
  });
  return { field: `${name}.${field}`, choice: written.choice, within };
}

function dimensionOf({ dataset, dimensions }: BuiltDataset, name: string): string {
  const field = dimensions.get(name.toLowerCase());
  if (field !== undefined) return field;
  throw new Unsayable(`${dataset.name} has no dimension \`${name}\`. ${didYouMean(name, dimensions.keys())}`.trim());
}

/**
 * Puts the dataset before each column, so that the text means the same wherever it stands. What cannot be read stays as
 * it is: names without a dataset are looked up in that of the metric.
 */
function qualifyColumns(text: string, built: BuiltDataset): string {
  const expression = text === '*' ? undefined : tryParseExpression(text, ansiLexer);
  if (expression === undefined) return text;
  const columns = columnsIn(expression).filter((column) => column.qualifier.length === 0);
  const hidden = columns.find(({ name }) => isHidden(name, built));
  if (hidden !== undefined)
    throw new Unsayable(`it reads the column ${hidden.name}, and a dimension of this name is something else`);
  const beginnings = columns.map(({ span: { start } }) => ({ start, end: start }));
  return replaceSpans(text, beginnings, () => `${quotedName(built.dataset.name)}.`);
}

/** Names mean fields first: a field that is not the column would be read in its place. */
function isHidden(column: string, built: BuiltDataset): boolean {
  const field = built.dataset.fields.find((one) => sameName(one.name, column));
  return field !== undefined && !field.expressions.every(({ expression }) => sameName(expression, column));
}
