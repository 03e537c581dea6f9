import type { z } from 'zod';
import type { Path } from '../../read-yaml.ts';
import type { DbtDimension, DbtEntity, DbtMeasure, DbtModel } from './dbt-project.ts';
import { dimensionSchema, entitySchema, entityTypes, measureSchema, semanticModelSchema } from './dbt-schemas.ts';
import { readMeasure, timeGrain } from './read-measure.ts';
import { isDisabled, ownerOf } from './read-metric.ts';
import { lose, placeOf, prose, type Reading, take } from './reading.ts';

/** Where relations are when dbt's files do not say it. */
export interface DbtTarget {
  readonly database?: string | undefined;
  readonly schema?: string | undefined;
}

/** A semantic model of the legacy specification or of a manifest, without what `models:` says about its columns. */
export function readSemanticModel(
  reading: Reading,
  value: unknown,
  path: Path,
  target: DbtTarget,
): DbtModel | undefined {
  const written = take(reading, semanticModelSchema, value, path, 'semantic model');
  if (written === undefined) return undefined;
  const what = `semantic model ${written.name}`;
  if (isDisabled(written.config)) {
    lose(reading, what, path, 'it is switched off in the project');
    return undefined;
  }
  const node = written.node_relation;
  const source = node == null ? sourceOfReference(written.model ?? '', target) : sourceOfNode(node, target);
  if (source === undefined) {
    lose(reading, what, path, `\`model\` is neither ref('…') nor source('…', '…'): ${written.model}`);
    return undefined;
  }
  const each = <T>(key: 'entities' | 'dimensions' | 'measures', read: (value: unknown, at: Path) => T | undefined) =>
    (written[key] ?? []).flatMap((one, at) => read(one, [...path, key, at]) ?? []);
  return {
    name: written.name,
    source,
    description: prose(reading, written.description, [...path, 'description'], `${what}: description`),
    owner: ownerOf(written.config),
    primaryEntity: written.primary_entity ?? undefined,
    defaultTime: written.defaults?.agg_time_dimension ?? undefined,
    entities: each('entities', (one, at) => readEntity(reading, one, at)),
    dimensions: each('dimensions', (one, at) => readDimension(reading, one, at)),
    measures: each('measures', (one, at) => readNamedMeasure(reading, one, at)),
    columns: [],
    place: placeOf(reading, path),
  };
}

export function readEntity(reading: Reading, value: unknown, path: Path): DbtEntity | undefined {
  const written = take(reading, entitySchema, value, path, 'entity');
  if (written === undefined) return undefined;
  const type = entityTypes.safeParse(written.type.toLowerCase());
  if (!type.success) {
    lose(reading, `entity ${written.name}`, path, `\`${written.type}\` is no type of entity`);
    return undefined;
  }
  return {
    name: written.name,
    type: type.data,
    expr: String(written.expr ?? written.name).trim(),
    label: written.label ?? undefined,
    description: prose(reading, written.description, path, `entity ${written.name}: description`),
    place: placeOf(reading, path),
  };
}

export function readDimension(reading: Reading, value: unknown, path: Path): DbtDimension | undefined {
  const written = take(reading, dimensionSchema, value, path, 'dimension');
  if (written === undefined) return undefined;
  const what = `dimension ${written.name}`;
  const granularity = written.granularity ?? written.type_params?.time_granularity;
  const isTime = written.type.toLowerCase() === 'time';
  const grain = timeGrain(granularity);
  if (isTime && granularity != null && grain === undefined)
    lose(reading, `${what}: granularity`, path, `\`${granularity}\` is finer than a day or the project's own`);
  if (written.type_params?.validity_params != null)
    lose(reading, `${what}: validity_params`, path, 'rows that are valid for a time join as if they always were');
  return {
    name: written.name,
    isTime,
    expr: String(written.expr ?? written.name).trim(),
    grain: isTime ? grain : undefined,
    label: written.label ?? undefined,
    description: prose(reading, written.description, path, `${what}: description`),
    place: placeOf(reading, path),
  };
}

function readNamedMeasure(reading: Reading, value: unknown, path: Path): DbtMeasure | undefined {
  const written = take(reading, measureSchema, value, path, 'measure');
  if (written === undefined) return undefined;
  const measure = readMeasure(reading, written.name, written, path, `measure ${written.name}`);
  return { ...measure, isMetric: written.create_metric === true };
}

const MAX_REFERENCE = 1_000;
const REFERENCE = /^\s*(?:\{\{\s*)?(ref|source)\(\s*(.*?)\s*\)\s*(?:\}\}\s*)?$/;
const ARGUMENT = /(?:(\w+)\s*=\s*)?(?:'([^']*)'|"([^"]*)"|(\d+))/g;

/** `ref('orders')`, `ref('shop', 'orders', v=2)`, `source('raw', 'orders')`; undefined for anything else. */
function sourceOfReference(reference: string, target: DbtTarget): string | undefined {
  const [, call, inner = ''] = REFERENCE.exec(reference.slice(0, MAX_REFERENCE)) ?? [];
  if (call === undefined) return undefined;
  const given = [...inner.matchAll(ARGUMENT)].map(([, key, single, double, digits]) => ({
    key,
    value: single ?? double ?? digits ?? '',
  }));
  const names = given.filter(({ key }) => key === undefined).map(({ value }) => value);
  const version = given.find(({ key }) => key === 'v' || key === 'version')?.value;
  const table = names.at(-1);
  if (table === undefined) return undefined;
  if (call === 'source') return qualify({ database: target.database, schema: names[0] }, table);
  return qualify(target, version === undefined ? table : `${table}_v${version}`);
}

/** The table that a manifest names, in the schema that the caller names. */
export function sourceOfNode(
  node: NonNullable<z.output<typeof semanticModelSchema>['node_relation']>,
  target: DbtTarget,
): string {
  return qualify({ database: target.database ?? node.database, schema: target.schema ?? node.schema_name }, node.alias);
}

export function qualify(
  { database, schema }: { readonly database?: string | null | undefined; readonly schema?: string | null | undefined },
  table: string,
): string {
  return [schema ? database : undefined, schema, table].filter(Boolean).join('.');
}
