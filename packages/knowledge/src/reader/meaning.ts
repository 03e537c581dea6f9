import type { BoundDataset, BoundField } from '../bind/bound-knowledge.ts';
import type { Metric, NamedFilter } from '../model/semantic-model.ts';

/** A field and whose it is. */
export interface DatasetField {
  readonly dataset: BoundDataset;
  readonly field: BoundField;
}

/** A field by one of its names. */
export interface NamedField extends DatasetField {
  /** It shows which row is meant; `key` tells rows of one name apart, and is grouped by as well. */
  readonly key?: BoundField | undefined;
  /** It stands for the rows themselves, as a store and not its size. */
  readonly isThing?: boolean | undefined;
  /** What is taken for granted by it. */
  readonly assumption?: string | undefined;
}

/** What a phrase of a question can mean. */
export type Meaning =
  /**
   * `spelling`: its words as they are written, in lower case. `onlyCounted`: only behind "how many" and "number of", as
   * `orders` for the metric `order_count`.
   */
  | {
      readonly kind: 'metric';
      readonly metric: Metric;
      readonly spelling: string;
      readonly onlyCounted?: boolean | undefined;
    }
  | ({ readonly kind: 'field' } & NamedField)
  | ({ readonly kind: 'value'; readonly values: readonly (string | number | boolean)[] } & DatasetField)
  | { readonly kind: 'filter'; readonly filter: NamedFilter }
  /** The rows of a dataset, as in "gold customers". */
  | { readonly kind: 'dataset'; readonly dataset: BoundDataset }
  /** A verb that names a time: "opened" of `opened_on`. */
  | ({ readonly kind: 'time' } & DatasetField);

/** What a run of words can mean. */
export interface Link {
  /** The position of the word behind it. */
  readonly end: number;
  readonly meanings: readonly Meaning[];
}

export function fieldName({ dataset, field }: DatasetField): string {
  return `${dataset.dataset.name}.${field.field.name}`;
}

/** What people read: `product category (products.category)`. */
export function fieldTitle(place: DatasetField): string {
  const { label, name } = place.field.field;
  return `${label ?? name.replaceAll('_', ' ')} (${fieldName(place)})`;
}

export function metricTitle({ label, name }: Metric): string {
  return label ?? name.replaceAll('_', ' ');
}
