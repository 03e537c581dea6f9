import type { z } from 'zod';
import type { EnumValue } from '../../../model/semantic-model.ts';
import type { Path } from '../../read-yaml.ts';
import type { DbtColumn, DbtMetric, DbtModel, DbtTimeSpine } from './dbt-project.ts';
import { columnSchema, modelSchema } from './dbt-schemas.ts';
import { timeGrain } from './read-measure.ts';
import { isDisabled, ownerOf, readMetric } from './read-metric.ts';
import { type DbtTarget, qualify, readDimension, readEntity } from './read-semantic-model.ts';
import { lose, placeOf, prose, type Reading, take } from './reading.ts';

/** An entry of `models:`. */
export interface ModelEntry {
  readonly source: string;
  readonly columns: readonly DbtColumn[];
  /** The latest specification: its semantic model and the metrics below it. */
  readonly semanticModel: DbtModel | undefined;
  readonly metrics: readonly DbtMetric[];
  readonly timeSpine: DbtTimeSpine | undefined;
}

type Model = z.output<typeof modelSchema>;
type Column = z.output<typeof columnSchema>;

export function readModel(reading: Reading, value: unknown, path: Path, target: DbtTarget): ModelEntry | undefined {
  const parsed = modelSchema.safeParse(value);
  // A model without meaning for metrics may say whatever dbt allows.
  const written = parsed.success ? parsed.data : take(reading, modelSchema, value, path, 'model');
  if (written === undefined) return undefined;
  const source = qualify(target, written.config?.alias ?? written.name);
  const columns = (written.columns ?? []).flatMap((one, at) => {
    const place = [...path, 'columns', at];
    const column = columnSchema.safeParse(one);
    if (column.success) return [{ column: column.data, at: place }];
    lose(reading, `column of model ${written.name}`, place, 'it is not as dbt describes a column');
    return [];
  });
  const semanticModel = readSemantics(reading, written, columns, path, source);
  return {
    source,
    columns: columns.map(({ column, at }) => readColumn(reading, column, at, written.name)),
    semanticModel,
    metrics:
      semanticModel === undefined
        ? []
        : (written.metrics ?? []).flatMap(
            (one, at) => readMetric(reading, one, [...path, 'metrics', at], semanticModel.name) ?? [],
          ),
    timeSpine: readTimeSpine(reading, written, columns, path, source),
  };
}

type Read<T> = (reading: Reading, value: unknown, path: Path) => T | undefined;

function readSemantics(
  reading: Reading,
  written: Model,
  columns: readonly { readonly column: Column; readonly at: Path }[],
  path: Path,
  source: string,
): DbtModel | undefined {
  const own = written.semantic_model;
  if (own == null || own === false) return undefined;
  const settings = own === true ? undefined : own;
  const name = settings?.name ?? written.name;
  if (settings?.enabled === false || isDisabled(settings?.config)) {
    lose(reading, `semantic model ${name}`, path, 'it is switched off in the project');
    return undefined;
  }
  const each = <T>(key: 'entity' | 'dimension', list: 'entities' | 'dimensions', read: Read<T>): T[] => [
    ...columns.flatMap(({ column, at }) =>
      column[key] == null ? [] : (read(reading, ofColumn(column, column[key]), [...at, key]) ?? []),
    ),
    ...(written.derived_semantics?.[list] ?? []).flatMap(
      (one, at) => read(reading, one, [...path, 'derived_semantics', list, at]) ?? [],
    ),
  ];
  return {
    name,
    source,
    description: prose(reading, written.description, [...path, 'description'], `semantic model ${name}: description`),
    owner: ownerOf(settings?.config),
    primaryEntity: written.primary_entity ?? undefined,
    defaultTime: written.agg_time_dimension ?? undefined,
    entities: each('entity', 'entities', readEntity),
    dimensions: each('dimension', 'dimensions', readDimension),
    measures: [],
    columns: [],
    place: placeOf(reading, path),
  };
}

/** What `entity:` or `dimension:` says of a column: its type, or more. The column has the rest. */
function ofColumn(column: Column, written: unknown): unknown {
  const own = typeof written === 'string' ? { type: written } : written;
  return { name: column.name, expr: column.name, granularity: column.granularity, ...(own as object) };
}

function readColumn(reading: Reading, column: Column, path: Path, model: string): DbtColumn {
  const what = `column ${model}.${column.name}: description`;
  const tests = [...(column.data_tests ?? []), ...(column.tests ?? [])];
  return {
    name: column.name,
    description: prose(reading, column.description, [...path, 'description'], what),
    values: tests.flatMap(acceptedValues),
  };
}

function acceptedValues(test: unknown): readonly EnumValue[] {
  const own = (test as { accepted_values?: { values?: unknown; arguments?: { values?: unknown } } } | null)
    ?.accepted_values;
  const values = own?.arguments?.values ?? own?.values;
  if (!Array.isArray(values)) return [];
  return values.flatMap((value: unknown) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [{ value, synonyms: [] }]
      : [],
  );
}

function readTimeSpine(
  reading: Reading,
  written: Model,
  columns: readonly { readonly column: Column }[],
  path: Path,
  source: string,
): DbtTimeSpine | undefined {
  const column = written.time_spine?.standard_granularity_column;
  if (column === undefined) return undefined;
  const what = `time spine ${written.name}`;
  if (written.time_spine?.custom_granularities != null)
    lose(reading, `${what}: custom_granularities`, [...path, 'time_spine'], 'units of time of a project are not known');
  const granularity = columns.find((one) => one.column.name === column)?.column.granularity ?? 'day';
  const grain = timeGrain(granularity);
  if (grain === undefined) {
    lose(reading, what, [...path, 'time_spine'], `its rows stand for a ${granularity}, which is no unit here`);
    return undefined;
  }
  return { source, column, grain, place: placeOf(reading, [...path, 'time_spine']) };
}
