import { sameName } from '../../../model/same-name.ts';
import type { Dataset, Field, Relationship, SemanticModel } from '../../../model/semantic-model.ts';
import type { Loss } from '../../conversion.ts';

export interface WrittenEntity {
  readonly name: string;
  readonly type: 'primary' | 'unique' | 'foreign';
  readonly column: string;
}

/** A model's keys and relationships as dbt says them: entities, which join where they have the same name. */
export interface EntityGraph {
  entitiesOf(dataset: Dataset): readonly WrittenEntity[];
  /**
   * Names of the entities that lead from a dataset to another one, over the fewest joins; undefined without a way, or
   * where two ways are equally short.
   */
  pathTo(from: string, to: string): readonly string[] | undefined;
}

/** Relationships that entities cannot say are added to `lost`. */
export function entityGraph(model: SemanticModel, lost: Loss[]): EntityGraph {
  const entities = new Map<string, WrittenEntity[]>();
  const edges: { readonly from: string; readonly to: string; readonly entity: string }[] = [];
  const datasets = new Map(model.datasets.map((dataset) => [key(dataset.name), dataset]));
  for (const dataset of model.datasets) {
    const others = [...entities.values()].flat();
    entities.set(key(dataset.name), keysOf(dataset, model, datasets, others, lost));
  }
  for (const relationship of model.relationships) {
    const problem = addRelationship(relationship, entities, edges);
    if (problem !== undefined)
      lost.push({ what: `relationship ${relationship.name}`, place: relationship.standing.place, reason: problem });
  }
  return {
    entitiesOf: (dataset) => entities.get(key(dataset.name)) ?? [],
    pathTo: (from, to) => shortestPath(edges, key(from), key(to)),
  };
}

function keysOf(
  dataset: Dataset,
  model: SemanticModel,
  datasets: ReadonlyMap<string, Dataset>,
  others: readonly WrittenEntity[],
  lost: Loss[],
): WrittenEntity[] {
  const written: WrittenEntity[] = [];
  const keys = [dataset.primaryKey, ...dataset.uniqueKeys].filter((columns) => columns.length > 0);
  for (const columns of keys) {
    const [column, ...more] = columns;
    if (column === undefined || more.length > 0) {
      const what = `dataset ${dataset.name}: key ${columns.join(', ')}`;
      lost.push({ what, place: dataset.standing.place, reason: 'an entity of dbt is one column' });
      continue;
    }
    const [owner, key] = representative(dataset, column, model, datasets, new Set());
    const name = nameOfKey(owner, key);
    // Entities of one name join, and a semantic model has each name once.
    const isTaken =
      owner === dataset && ([...others, ...written].some((one) => one.name === name) || isDimension(name, model));
    const type = columns === dataset.primaryKey ? 'primary' : 'unique';
    written.push({ name: isTaken ? `${dataset.name}_${column}`.toLowerCase() : name, type, column });
  }
  return written;
}

/** Two keys that are joined one to one have one name: that of the side that is pointed to. */
function representative(
  dataset: Dataset,
  column: string,
  model: SemanticModel,
  datasets: ReadonlyMap<string, Dataset>,
  seen: Set<string>,
): readonly [Dataset, string] {
  const partner = model.relationships.find(
    (one) => one.isOneToOne && sameName(one.from, dataset.name) && sameName(one.fromColumns.join(), column),
  );
  const other = partner && datasets.get(key(partner.to));
  if (partner === undefined || other === undefined || seen.has(partner.name)) return [dataset, column];
  return representative(other, partner.toColumns.join(), model, datasets, seen.add(partner.name));
}

function nameOfKey(dataset: Dataset, column: string): string {
  return (fieldOfColumn(dataset, column)?.ai?.synonyms.find(isName) ?? column).toLowerCase();
}

function isDimension(name: string, model: SemanticModel): boolean {
  return model.datasets.some((dataset) =>
    dataset.fields.some(
      (field) =>
        field.dimension !== undefined &&
        sameName(field.name, name) &&
        ![dataset.primaryKey, ...dataset.uniqueKeys].some((columns) => sameName(columns.join(), field.name)) &&
        !model.relationships.some(
          (one) => sameName(one.from, dataset.name) && sameName(one.fromColumns.join(), field.name),
        ),
    ),
  );
}

function addRelationship(
  { from, to, fromColumns, toColumns, isOneToOne }: Relationship,
  entities: ReadonlyMap<string, WrittenEntity[]>,
  edges: { from: string; to: string; entity: string }[],
): string | undefined {
  const [column, ...others] = fromColumns;
  if (column === undefined || others.length > 0) return 'an entity of dbt is one column';
  const target = entities.get(key(to))?.find((one) => sameName(one.column, toColumns.join()));
  const own = entities.get(key(from));
  if (target === undefined || own === undefined) return `${to}.${toColumns.join()} is not said to be a key`;
  const taken = own.find((one) => one.name === target.name);
  if (taken !== undefined && !sameName(taken.column, column))
    return `${from} has the entity ${target.name} already, for the column ${taken.column}`;
  if (taken === undefined) own.push({ name: target.name, type: 'foreign', column });
  edges.push({ from: key(from), to: key(to), entity: target.name });
  if (isOneToOne) edges.push({ from: key(to), to: key(from), entity: target.name });
  return undefined;
}

function shortestPath(
  edges: readonly { readonly from: string; readonly to: string; readonly entity: string }[],
  from: string,
  to: string,
): readonly string[] | undefined {
  let ends: { readonly at: string; readonly path: readonly string[] }[] = [{ at: from, path: [] }];
  const seen = new Set<string>();
  while (ends.length > 0) {
    const there = ends.filter(({ at }) => at === to);
    if (there.length > 0) return there.length === 1 ? there[0]?.path : undefined;
    for (const { at } of ends) seen.add(at);
    ends = ends.flatMap(({ at, path }) =>
      edges
        .filter((edge) => edge.from === at && !seen.has(edge.to))
        .map((edge) => ({ at: edge.to, path: [...path, edge.entity] })),
    );
  }
  return undefined;
}

/** The field that is nothing but a column. */
export function fieldOfColumn(dataset: Dataset, column: string): Field | undefined {
  const fields = dataset.fields.filter((field) => sameName(field.expressions[0]?.expression ?? '', column));
  return fields.find((field) => sameName(field.name, column)) ?? fields[0];
}

/** dbt takes lower case, digits and single underscores, from two characters on. */
export function isName(name: string): boolean {
  return /^[a-z][a-z0-9_]*[a-z0-9]$/i.test(name) && !name.includes('__');
}

function key(name: string): string {
  return name.toLowerCase();
}
