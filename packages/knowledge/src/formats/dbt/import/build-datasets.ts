import { didYouMean } from '@askema/core';
import { sameName } from '../../../model/same-name.ts';
import { ansi, type Dataset, type Field, type Relationship } from '../../../model/semantic-model.ts';
import type { Standing } from '../../../model/standing.ts';
import type { Loss } from '../../conversion.ts';
import type { DbtEntity, DbtModel } from '../project/dbt-project.ts';

/** A semantic model as a dataset, with the names that dbt's texts use for its parts. */
export interface BuiltDataset {
  readonly model: DbtModel;
  readonly dataset: Dataset;
  /** Names of fields, by the names of dimensions and of entities in lower case. */
  readonly dimensions: ReadonlyMap<string, string>;
  readonly entities: ReadonlyMap<string, string>;
}

export function standingOf(one: { readonly place: Standing['place']; readonly owner?: string | undefined }): Standing {
  return { state: 'proposed', source: 'dbt', ...(one.owner !== undefined && { owner: one.owner }), place: one.place };
}

export function buildDataset(model: DbtModel, lost: Loss[]): BuiltDataset {
  const fields: Field[] = [];
  const dimensions = new Map<string, string>();
  const entities = new Map<string, string>();
  const named = (name: string) => fields.find((field) => sameName(field.name, name));
  for (const dimension of model.dimensions) {
    if (named(dimension.name) !== undefined) {
      lost.push({
        what: `dimension ${model.name}.${dimension.name}`,
        place: dimension.place,
        reason: 'it is there twice',
      });
      continue;
    }
    dimensions.set(dimension.name.toLowerCase(), dimension.name);
    fields.push({
      name: dimension.name,
      expressions: ansi(dimension.expr),
      dimension: dimension.isTime ? { isTime: true } : {},
      label: dimension.label,
      description: dimension.description,
      timeGrain: dimension.grain,
      values: [],
      extensions: [],
    });
  }
  for (const entity of model.entities) {
    const name = isColumn(entity.expr) && !isOther(named(entity.expr), entity.expr) ? entity.expr : entity.name;
    if (isOther(named(name), entity.expr)) {
      lost.push({
        what: `entity ${model.name}.${entity.name}`,
        place: entity.place,
        reason: `its column ${entity.expr} cannot be named: the dimension ${name} is something else`,
      });
      continue;
    }
    entities.set(entity.name.toLowerCase(), name);
    if (named(name) === undefined) fields.push(fieldOfEntity(entity, name));
  }
  const withColumns = addColumns(fields, model);
  const keys = model.entities.filter((one) => isColumn(one.expr));
  const primary = keys.find((entity) => entity.type === 'primary');
  const time = model.defaultTime === undefined ? undefined : dimensions.get(model.defaultTime.toLowerCase());
  if (model.defaultTime !== undefined && time === undefined)
    lost.push({
      what: `semantic model ${model.name}: agg_time_dimension`,
      place: model.place,
      reason:
        `it has no dimension \`${model.defaultTime}\`. ${didYouMean(model.defaultTime, dimensions.keys())}`.trim(),
    });
  const dataset: Dataset = {
    name: model.name,
    source: model.source,
    primaryKey: primary === undefined ? [] : [primary.expr],
    uniqueKeys: keys.filter((entity) => entity.type === 'unique').map((entity) => [entity.expr]),
    description: model.description,
    fields: withColumns,
    defaultTime: time,
    extensions: [],
    standing: standingOf(model),
  };
  return { model, dataset, dimensions, entities };
}

/** Words for a key belong to the side that it identifies: on both they would be ambiguous. */
function fieldOfEntity(entity: DbtEntity, name: string): Field {
  const isOwn = entity.type === 'primary' || entity.type === 'unique';
  const synonyms = isOwn && !sameName(entity.name, name) ? [entity.name] : [];
  return {
    name,
    expressions: ansi(entity.expr),
    dimension: {},
    label: entity.label,
    description: entity.description,
    ...(synonyms.length > 0 && { ai: { synonyms, examples: [] } }),
    values: [],
    extensions: [],
  };
}

/** What `models:` says of columns goes to the fields that stand for them; a column without one becomes a field. */
function addColumns(fields: readonly Field[], model: DbtModel): readonly Field[] {
  const ofColumn = (name: string) =>
    fields.filter((field) => field.expressions.some(({ expression }) => sameName(expression, name)));
  const described = fields.map((field): Field => {
    const column = model.columns.find((one) => ofColumn(one.name).includes(field));
    if (column === undefined) return field;
    return { ...field, description: field.description ?? column.description, values: column.values };
  });
  const others = model.columns.filter(
    (column) =>
      (column.description !== undefined || column.values.length > 0) &&
      ofColumn(column.name).length === 0 &&
      !fields.some((field) => sameName(field.name, column.name)),
  );
  return [
    ...described,
    ...others.map(
      (column): Field => ({
        name: column.name,
        expressions: ansi(column.name),
        description: column.description,
        values: column.values,
        extensions: [],
      }),
    ),
  ];
}

/**
 * Entities of one name join: `foreign` and `natural` to `primary` and `unique`, and those to each other. A `natural` key
 * is unique only at a time, so that nothing can join to it.
 */
export function buildRelationships(built: readonly BuiltDataset[], lost: Loss[]): readonly Relationship[] {
  const relationships: Relationship[] = [];
  const sides = built.flatMap((one, at) => one.model.entities.map((entity) => ({ ...one, entity, at })));
  for (const from of sides) {
    for (const to of sides) {
      if (from.at === to.at || !sameName(from.entity.name, to.entity.name)) continue;
      const isOneToOne = isUnique(from.entity) && isUnique(to.entity);
      if (isOneToOne && from.at > to.at) continue;
      if (to.entity.type === 'natural' && from.entity.type === 'foreign') {
        const what = `relationship of ${from.model.name} to ${to.model.name} by ${to.entity.name}`;
        lost.push({ what, place: to.entity.place, reason: 'the rows of a natural key are valid for a time only' });
      }
      if (!isUnique(to.entity) || (isUnique(from.entity) && !isOneToOne)) continue;
      if (!isColumn(from.entity.expr) || !isColumn(to.entity.expr)) {
        const place = isColumn(from.entity.expr) ? to.entity.place : from.entity.place;
        const what = `relationship of ${from.model.name} to ${to.model.name} by ${to.entity.name}`;
        lost.push({ what, place, reason: 'relationships join columns, and the entity is an expression' });
        continue;
      }
      const name = `${from.model.name}_to_${to.model.name}`;
      relationships.push({
        name: relationships.some((one) => sameName(one.name, name)) ? `${name}_by_${from.entity.name}` : name,
        from: from.model.name,
        to: to.model.name,
        fromColumns: [from.entity.expr],
        toColumns: [to.entity.expr],
        ...(isOneToOne && { isOneToOne }),
        extensions: [],
        standing: standingOf({ place: from.entity.place }),
      });
    }
  }
  return relationships;
}

function isUnique(entity: DbtEntity): boolean {
  return entity.type === 'primary' || entity.type === 'unique';
}

function isOther(field: Field | undefined, column: string): boolean {
  return field !== undefined && !field.expressions.some(({ expression }) => sameName(expression, column));
}

function isColumn(expression: string): boolean {
  return /^[A-Za-z_][\w$]*$/.test(expression);
}
