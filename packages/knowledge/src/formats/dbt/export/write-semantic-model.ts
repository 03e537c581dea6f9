import { sameName } from '../../../model/same-name.ts';
import type { AiContext, Dataset, Extension, Field } from '../../../model/semantic-model.ts';
import type { Place } from '../../../model/standing.ts';
import type { Loss } from '../../conversion.ts';
import { compact } from '../../plain-object.ts';
import { type EntityGraph, fieldOfColumn, type WrittenEntity } from './entity-graph.ts';

/** A semantic model of the legacy specification, and what stands in `models:` about its columns. */
export interface WrittenModel {
  readonly semanticModel: Record<string, unknown>;
  readonly columns: Record<string, unknown> | undefined;
}

export function writeSemanticModel(dataset: Dataset, graph: EntityGraph, lost: Loss[]): WrittenModel | undefined {
  const { place, owner } = dataset.standing;
  const what = `dataset ${dataset.name}`;
  const relation = /^[\w$."`]+$/.test(dataset.source) ? dataset.source.split('.') : [];
  const table = relation.at(-1)?.replace(/["`]/g, '');
  if (table === undefined) {
    lost.push({ what, place, reason: 'its rows come from a query. Make a dbt model of it, and a dataset of that' });
    return undefined;
  }
  if (relation.length > 1)
    lost.push({ what: `${what}: schema`, place, reason: 'a dbt project says in which schema its models are' });
  loseParts(
    what,
    place,
    lost,
    {
      grain: dataset.grain,
      certified: dataset.isCertified,
    },
    dataset,
  );
  const entities = graph.entitiesOf(dataset);
  const keys = entities.map((entity) => fieldOfColumn(dataset, entity.column));
  const others = dataset.fields.filter((field) => !(keys.includes(field) && isNamedAsColumn(field)));
  const dimensions = others.flatMap((field) =>
    field.dimension === undefined ? [] : [writeDimension(field, what, place, lost)],
  );
  for (const field of dataset.fields) loseOfField(field, dataset, entities, lost);
  return {
    semanticModel: compact({
      name: dataset.name.toLowerCase(),
      description: dataset.description,
      model: `ref('${table}')`,
      config: owner === undefined ? undefined : { meta: { owner } },
      defaults: dataset.defaultTime && { agg_time_dimension: dataset.defaultTime.toLowerCase() },
      primary_entity: entities.some((one) => one.type === 'primary') ? undefined : dataset.name.toLowerCase(),
      entities: entities.map((entity) => writeEntity(entity, dataset)),
      dimensions,
    }),
    columns: writeColumns(dataset, table),
  };
}

function writeEntity({ name, type, column }: WrittenEntity, dataset: Dataset): Record<string, unknown> {
  const field = fieldOfColumn(dataset, column);
  const own = field !== undefined && isNamedAsColumn(field) ? field : undefined;
  return compact({
    name,
    type,
    expr: name === column ? undefined : column,
    label: own?.label,
    description: own?.description,
  });
}

function writeDimension(field: Field, what: string, place: Place, lost: Loss[]): Record<string, unknown> {
  const name = field.name.toLowerCase();
  const expression = expressionOf(field);
  const isTime = field.dimension?.isTime === true;
  if (isTime && field.timeGrain === undefined)
    lost.push({ what: `${what}: field ${field.name}`, place, reason: 'dbt wants a grain of a time: day is written' });
  return compact({
    name,
    type: isTime ? 'time' : 'categorical',
    expr: expression === name ? undefined : expression,
    label: field.label,
    description: field.description,
    type_params: isTime ? { time_granularity: field.timeGrain ?? 'day' } : undefined,
  });
}

/** Columns that have values, or that no dimension or entity describes. */
function writeColumns(dataset: Dataset, table: string): Record<string, unknown> | undefined {
  const columns = dataset.fields.flatMap((field) => {
    const isPlain = /^\w+$/.test(expressionOf(field));
    if (!isPlain || (field.values.length === 0 && field.dimension !== undefined)) return [];
    const values = field.values.map(({ value }) => value);
    return [
      compact({
        name: expressionOf(field),
        description: field.dimension === undefined ? field.description : undefined,
        data_tests: values.length === 0 ? undefined : [{ accepted_values: { arguments: { values } } }],
      }),
    ];
  });
  return columns.length === 0 ? undefined : { name: table, columns };
}

function loseOfField(field: Field, dataset: Dataset, entities: readonly WrittenEntity[], lost: Loss[]): void {
  const what = `field ${dataset.name}.${field.name}`;
  const { place } = dataset.standing;
  const [, ...others] = field.expressions;
  const isPlain = /^\w+$/.test(expressionOf(field));
  const names = entities.filter((one) => sameName(one.column, expressionOf(field))).map(({ name }) => name);
  const synonyms = (field.ai?.synonyms ?? []).filter((synonym) => !names.includes(synonym.toLowerCase()));
  loseParts(
    what,
    place,
    lost,
    {
      type: field.type,
      unit: field.unit,
      format: field.format,
      hidden: field.isHidden,
      'expressions of other dialects': others.length > 0 || undefined,
      'meanings of values':
        field.values.some((one) => one.meaning !== undefined || one.synonyms.length > 0) || undefined,
      values: (field.values.length > 0 && !isPlain) || undefined,
      label: field.dimension === undefined ? field.label : undefined,
    },
    { ...field, ai: field.ai && { ...field.ai, synonyms } },
  );
  if (field.dimension === undefined && (!isPlain || !isNamedAsColumn(field)))
    lost.push({ what, place, reason: 'it is no dimension: its expression is written into the metrics that use it' });
}

/** Notes parts for which dbt has no place, with what the entry says to models and what other tools say about it. */
export function loseParts(
  what: string,
  place: Place,
  lost: Loss[],
  parts: Record<string, unknown>,
  { ai, extensions = [] }: { readonly ai?: AiContext | undefined; readonly extensions?: readonly Extension[] } = {},
): void {
  const all = compact({
    ...parts,
    synonyms: ai?.synonyms,
    instructions: ai?.instructions,
    examples: ai?.examples,
    'further context': ai?.other,
    ...Object.fromEntries(extensions.map(({ vendor }) => [`extension ${vendor}`, true])),
  });
  for (const part of Object.keys(all))
    lost.push({ what: `${what}: ${part}`, place, reason: 'dbt has no place for it' });
}

function isNamedAsColumn(field: Field): boolean {
  return sameName(field.name, expressionOf(field));
}

function expressionOf(field: Field): string {
  return field.expressions[0]?.expression ?? field.name;
}
