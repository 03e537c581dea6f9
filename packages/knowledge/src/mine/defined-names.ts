import { type Attribute, type Catalog, indexSchema, type RelationId } from '@askema/core';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import { draftModel } from '../draft/draft-model.ts';
import type { ColumnName } from '../expression/expression.ts';
import { quotedName } from '../formats/quoted-name.ts';
import type { Dataset, SemanticModel } from '../model/semantic-model.ts';
import type { DefinedNames } from './statement-reader.ts';

/** Datasets of relations: those that are defined, and drafts of all others. */
export interface DatasetsOf extends DefinedNames {
  /** The model of the drafts. */
  readonly draft: SemanticModel;
  readonly defined: ReadonlyMap<RelationId, BoundDataset>;
  readonly datasetOf: (relation: RelationId) => Dataset | undefined;
}

export function datasetsOf(catalog: Catalog, bounds: readonly BoundKnowledge[]): DatasetsOf {
  const defined = new Map<RelationId, BoundDataset>();
  const taken = new Set<string>();
  for (const bound of bounds)
    for (const dataset of bound.datasets.values()) {
      taken.add(dataset.dataset.name.toLowerCase());
      if (dataset.relation !== undefined && !defined.has(dataset.relation)) defined.set(dataset.relation, dataset);
    }
  const byRelation = Map.groupBy(catalog.schema.attributes, ({ relation }) => relation);
  const attributes = new Map<RelationId, readonly Attribute[]>(
    catalog.schema.relations.map(({ id }) => [id, byRelation.get(id) ?? []]),
  );
  const draft = draftModel(catalog, attributes, { enums: new Map(), dates: new Set() });
  const drafted = new Map<RelationId, Dataset>();
  for (const [at, relation] of [...attributes.keys()].entries()) {
    const dataset = draft.datasets[at];
    if (dataset === undefined || defined.has(relation)) continue;
    const name = taken.has(dataset.name.toLowerCase()) ? `${dataset.name}_table` : dataset.name;
    drafted.set(relation, { ...dataset, name });
  }
  const fields = new Map([...defined.values()].map((one) => [one.dataset.name, fieldsByColumn(one)]));
  const datasetOf = (relation: RelationId): Dataset | undefined =>
    defined.get(relation)?.dataset ?? drafted.get(relation);
  const index = indexSchema(catalog);
  // Asked for each column of each statement.
  const written = new Map<string, string>();
  const quoted = (name: string): string => {
    const text = written.get(name) ?? quotedName(name);
    written.set(name, text);
    return text;
  };
  return {
    draft,
    defined,
    datasetOf,
    dataset: (relation) => datasetOf(relation)?.name ?? index.relation(relation)?.name ?? relation,
    column: ({ bound, name }: ColumnName) => {
      if (bound === undefined) return name;
      const field = fields.get(bound.dataset)?.get(bound.column) ?? bound.column;
      return `${quoted(bound.dataset)}.${quoted(field)}`;
    },
  };
}

/** The fields that are nothing but a column. */
function fieldsByColumn({ fields }: BoundDataset): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { field, expression } of fields.values()) {
    const column = expression.kind === 'column' ? expression.bound?.column : undefined;
    if (column !== undefined && !names.has(column)) names.set(column, field.name);
  }
  return names;
}
