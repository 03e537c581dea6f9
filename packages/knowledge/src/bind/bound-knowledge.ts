import type { Catalog, DataType, Dialect, RelationId } from '@askema/core';
import type { Expression } from '../expression/expression.ts';
import type { Knowledge, KnowledgeProblem } from '../model/knowledge.ts';
import type { Dataset, Field, Metric, NamedFilter, Relationship } from '../model/semantic-model.ts';

/**
 * Knowledge, looked up in the catalog of a database: what compiles and checks. What could not be looked up is in
 * `problems` and not in the maps. Keys of maps are names in lower case.
 */
export interface BoundKnowledge {
  readonly knowledge: Knowledge;
  readonly catalog: Catalog;
  readonly dialect: Dialect;
  readonly datasets: ReadonlyMap<string, BoundDataset>;
  readonly relationships: readonly BoundRelationship[];
  /** Definitions as they stand: their expressions are looked up when they are compiled. */
  readonly metrics: ReadonlyMap<string, Metric>;
  readonly filters: ReadonlyMap<string, NamedFilter>;
  readonly problems: readonly KnowledgeProblem[];
}

/** A dataset whose source and columns were found. */
export interface BoundDataset {
  readonly dataset: Dataset;
  /** What stands in FROM, without an alias: a qualified name, or a query in brackets. */
  readonly from: string;
  /** Undefined where the source is a query. */
  readonly relation: RelationId | undefined;
  /** Of the source, by name in lower case; of a query: those that fields name. */
  readonly columns: ReadonlyMap<string, SourceColumn>;
  /** By name in lower case. */
  readonly fields: ReadonlyMap<string, BoundField>;
  /** Names of fields that were left out, in lower case: a column of such a name is something else. None when left out. */
  readonly leftOut?: ReadonlySet<string> | undefined;
  /** Columns whose values differ in every row, as the knowledge or the catalog says. */
  readonly keys: readonly (readonly string[])[];
}

/** A column of a table, a view or a query. */
export interface SourceColumn {
  /** As the engine stores it. */
  readonly name: string;
  readonly type: DataType;
}

/** A field whose expression can be written for the engine. */
export interface BoundField {
  readonly field: Field;
  /** With every column bound. */
  readonly expression: Expression;
  readonly type: DataType;
  /** It holds dates or times, by the model or the catalog. */
  readonly isTime: boolean;
}

/** A join whose columns were found on both sides. */
export interface BoundRelationship {
  readonly relationship: Relationship;
  readonly from: BoundDataset;
  readonly to: BoundDataset;
  readonly pairs: readonly { readonly from: SourceColumn; readonly to: SourceColumn }[];
}
