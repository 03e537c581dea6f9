import { type Catalog, type DataType, type Dialect, didYouMean, indexSchema } from '@askema/core';
import { entryId } from '../model/knowledge.ts';
import type { Dataset, Field } from '../model/semantic-model.ts';
import { bindField } from './bind-field.ts';
import type { BoundDataset, BoundField, SourceColumn } from './bound-knowledge.ts';
import type { FindSource } from './find-source.ts';
import type { ProblemList, Subject } from './problem-list.ts';
import { columnsOfQuery, columnsOfRelation, type SourceColumns } from './source-columns.ts';

/** What all datasets are bound with. */
export interface DatasetBinder {
  readonly catalog: Catalog;
  readonly dialect: Dialect;
  readonly findSource: FindSource;
  readonly problems: ProblemList;
  /** Ids of fields that reading or a check found an error in: they may have been taken out already. */
  readonly failed: ReadonlySet<string>;
}

/** Looks up a dataset with its fields and keys; undefined where its source is not there. */
export function bindDataset(dataset: Dataset, binder: DatasetBinder): BoundDataset | undefined {
  const { catalog, dialect, findSource, problems } = binder;
  const subject: Subject = { kind: 'dataset', name: dataset.name, standing: dataset.standing };
  const source = findSource(dataset.source);
  if (source.kind === 'problem') {
    problems.add(subject, source.remark);
    // What is wrong with the form of its fields does not wait until the source is mended.
    bindFields(dataset, columnsOfQuery(dialect, new Map()), binder);
    return undefined;
  }
  const relation = source.kind === 'relation' ? source.id : undefined;
  if (source.kind === 'relation' && source.remark !== undefined) problems.add(subject, source.remark);
  const columns =
    relation === undefined
      ? columnsOfQuery(dialect, typesOfColumns(source.kind === 'query' ? source.reads : [], catalog))
      : columnsOfRelation(dataset, relation, indexSchema(catalog), dialect);
  const fields = bindFields(dataset, columns, binder);
  const time = dataset.defaultTime;
  if (time !== undefined && !fields.has(lastPart(time)))
    problems.add(subject, {
      code: 'unknown-field',
      message: `The default time \`${time}\` is no field of the dataset \`${dataset.name}\`.`,
      advice:
        didYouMean(
          time,
          dataset.fields.map(({ name }) => name),
        ) || undefined,
    });
  return {
    dataset,
    from: source.from,
    relation,
    columns: columns.columns,
    fields,
    leftOut: leftOutOf(dataset, fields, binder),
    keys: [...keysOfModel(dataset, columns, fields, subject, problems), ...keysOfCatalog(relation, catalog)],
  };
}

function leftOutOf(
  { name, fields: defined }: Dataset,
  fields: ReadonlyMap<string, BoundField>,
  { failed }: DatasetBinder,
): ReadonlySet<string> | undefined {
  const begin = entryId('field', `${name}.`).toLowerCase();
  const names = defined.map((field) => field.name.toLowerCase());
  for (const id of failed) if (id.startsWith(begin)) names.push(id.slice(begin.length));
  const leftOut = names.filter((field) => !fields.has(field));
  return leftOut.length === 0 ? undefined : new Set(leftOut);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

function bindFields(
  dataset: Dataset,
  columns: SourceColumns,
  { dialect, problems }: DatasetBinder,
): ReadonlyMap<string, BoundField> {
  const subject = ({ name }: Field): Subject => ({
    kind: 'field',
    name: `${dataset.name}.${name}`,
    standing: dataset.standing,
  });
  const fields = new Map<string, BoundField>();
  const seen = new Set<string>();
  for (const field of dataset.fields) {
    const key = field.name.toLowerCase();
    if (seen.has(key)) {
      fields.delete(key);
      problems.add(subject(field), {
        code: 'duplicate-name',
        message: `The dataset \`${dataset.name}\` has two fields \`${field.name}\`; neither is used.`,
        advice: 'Leave one of them, or give it another name.',
      });
      continue;
    }
    seen.add(key);
    const result = bindField(field, dataset, columns, dialect);
    if (result.bound !== undefined) fields.set(key, result.bound);
    for (const remark of result.remarks ?? []) problems.add(subject(field), remark);
  }
  return fields;
}

/** A column by its name, or that of a field which is nothing but the column: converters name keys so. */
export function keyColumn(
  name: string,
  columns: Pick<SourceColumns, 'find'>,
  fields: ReadonlyMap<string, BoundField>,
): SourceColumn | undefined {
  const column = columns.find(name);
  if (column !== undefined) return column;
  const expression = fields.get(name.toLowerCase())?.expression;
  const bound = expression?.kind === 'column' ? expression.bound : undefined;
  return bound && { name: bound.column, type: bound.type };
}

function keysOfModel(
  dataset: Dataset,
  columns: SourceColumns,
  fields: ReadonlyMap<string, BoundField>,
  subject: Subject,
  problems: ProblemList,
): readonly (readonly string[])[] {
  const primary = dataset.primaryKey.length === 0 ? [] : [dataset.primaryKey];
  return [...primary, ...dataset.uniqueKeys].flatMap((key) => {
    const found = key.map((name) => keyColumn(name, columns, fields));
    const missing = key.filter((_, at) => found[at] === undefined);
    const where = `The ${key === dataset.primaryKey ? 'primary' : 'unique'} key of \`${dataset.name}\``;
    for (const name of missing) problems.add(subject, columns.unknown(name, where));
    return missing.length > 0 || key.length === 0 ? [] : [found.map((column) => column?.name ?? '')];
  });
}

function keysOfCatalog(relation: string | undefined, catalog: Catalog): readonly (readonly string[])[] {
  if (relation === undefined) return [];
  const index = indexSchema(catalog);
  const primary = catalog.keyStanding[relation] === 'inferred' ? undefined : index.primaryKey(relation)?.attributes;
  const unique = catalog.uniqueKeys.filter((key) => key.relation === relation).map(({ attributes }) => attributes);
  const single = index
    .attributesOf(relation)
    .filter(({ id }) => index.constraintsOn(id).includes('unique'))
    .map(({ id }) => [id]);
  return [...(primary === undefined ? [] : [primary]), ...unique, ...single].map((key) =>
    key.map((id) => index.attribute(id)?.name ?? ''),
  );
}

/** Types of columns of relations by name in lower case; none where two relations differ. */
function typesOfColumns(relations: readonly string[], catalog: Catalog): ReadonlyMap<string, DataType> {
  const index = indexSchema(catalog);
  const attributes = relations.flatMap((id) => index.attributesOf(id));
  const byName = Map.groupBy(attributes, ({ name }) => name.toLowerCase());
  return new Map(
    [...byName].flatMap(([name, same]) => {
      const [first] = same;
      return first !== undefined && same.every(({ type }) => type === first.type) ? [[name, first.type] as const] : [];
    }),
  );
}
