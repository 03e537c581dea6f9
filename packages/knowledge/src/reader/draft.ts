import type { BoundDataset } from '../bind/bound-knowledge.ts';
import type { Metric, NamedFilter, TimeGrain } from '../model/semantic-model.ts';
import type { Period } from '../time/read-period.ts';
import type { DatasetField, NamedField } from './meaning.ts';

/** A part of a question with all that its words can mean. */
interface Slot<Option> {
  /** The words, as they stand. */
  readonly said: string;
  readonly options: readonly Option[];
}

interface MetricSlot extends Slot<Metric> {
  readonly demands: Demands;
}

export type GroupSlot =
  /** `isPer`: "per customer", which may be meant as a mean. */
  | ({ readonly kind: 'field'; readonly isPer: boolean } & Slot<NamedField>)
  | { readonly kind: 'grain'; readonly grain: TimeGrain; readonly isFiscal: boolean };
export type Condition =
  | ({
      readonly kind: 'value';
      readonly values: readonly (string | number | boolean)[];
      /** What the question says it is of: "gold customers" are customers. */
      readonly nouns?: readonly BoundDataset[] | undefined;
    } & DatasetField)
  | { readonly kind: 'filter'; readonly filter: NamedFilter };
interface ConditionSlot extends Slot<Condition> {
  readonly isNot: boolean;
  /** It may be a part of what is left out: "excluding food of Quell". */
  readonly isUnderNot: boolean;
  /** The position of the word behind it. */
  readonly end: number;
  /** "by phone": how it was done, other than "by city" and "bought by gold customers". */
  readonly isBy: boolean;
  /** "orders cancelled in March", other than "cancelled orders in March": when it happened is asked for. */
  readonly isVerb: boolean;
}

/** What metrics have to be like for the words around them to be true. */
export interface Demands {
  /** "how many": it counts. */
  readonly counts?: boolean | undefined;
  /** "how much": it does more than count. */
  readonly isAmount?: boolean | undefined;
  /** "total": it can be added up. */
  readonly sums?: boolean | undefined;
  /** "how long": it lasts. */
  readonly lasts?: boolean | undefined;
  /** "list", "who are": rows are asked for, which no metric shows. */
  readonly rows?: boolean | undefined;
  /** "sum of", "combined": all metrics are to be added up. */
  readonly adds?: boolean | undefined;
  /** "different": it counts each once. */
  readonly isDistinct?: boolean | undefined;
  /** "at the end of each month": a value of a moment. */
  readonly isSnapshot?: boolean | undefined;
  /** "how has it developed": over periods. */
  readonly hasGrain?: boolean | undefined;
}

export interface Rank {
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
}

/** A question, as far as it was read. */
export interface Draft {
  readonly metrics: readonly MetricSlot[];
  readonly groups: readonly GroupSlot[];
  readonly conditions: readonly ConditionSlot[];
  readonly time?: Period | undefined;
  /** Verbs that name a time: that of each metric has to be among the options. */
  readonly verbs: readonly Slot<DatasetField>[];
  readonly rank?: Rank | undefined;
  /** Of all metrics. */
  readonly demands: Demands;
  /** How many names it is made of: the fewer, the longer they are. */
  readonly names: number;
}

export const EMPTY_DRAFT: Draft = { metrics: [], groups: [], conditions: [], verbs: [], demands: {}, names: 0 };
