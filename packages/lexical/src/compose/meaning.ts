import type { AttributeId, RelationId } from '@askema/core';
import type { Quantifier } from '../interpret/frame.ts';
import type { AggregateFunction } from '../lexicon/aggregates.ts';
import type { Comparison } from '../lexicon/comparisons.ts';
import type { TimeUnit } from '../lexicon/time-units.ts';
import type { JoinEdge } from '../link/join-graph.ts';
import type { Literal } from '../write/query.ts';

/**
 * What a question means in one database: entities, how they hang together, what must hold of each, and what is asked. A
 * tree of nodes; each stands for one row of its relation.
 */
export interface EntityNode {
  readonly relation: RelationId;
  readonly links: EntityLink[];
  readonly conditions: Condition[];
  /** The link towards the root. */
  up?: EntityLink | undefined;
}

/** One key between two entities. */
export interface EntityLink {
  readonly parent: EntityNode;
  readonly child: EntityNode;
  readonly edge: JoinEdge;
  /** How many rows of the child there must be for one of the parent. */
  readonly quantifier: Quantifier;
  /** Of a count: what is counted, at the end of the chain. */
  readonly counted?: EntityNode | undefined;
  /** True when the question says that there is such a child; a link that only leads to an attribute asks nothing. */
  readonly required: boolean;
  /** True for links that outputs and conditions on attributes share. */
  readonly shared: boolean;
}

/** What must hold of one entity. */
export type Condition =
  | {
      readonly kind: 'compare';
      readonly attribute: AttributeId;
      readonly comparison: Comparison;
      readonly value: ConditionValue;
    }
  | {
      readonly kind: 'in';
      readonly attribute: AttributeId;
      readonly values: readonly Literal[];
      readonly negated: boolean;
    }
  | { readonly kind: 'like'; readonly attribute: AttributeId; readonly pattern: string; readonly negated: boolean }
  | { readonly kind: 'flag'; readonly attribute: AttributeId; readonly negated: boolean }
  | { readonly kind: 'null'; readonly attribute: AttributeId; readonly negated: boolean }
  /** The extreme among all rows of the relation that fulfil the other conditions of the node. */
  | { readonly kind: 'extreme'; readonly attribute: AttributeId; readonly end: 'high' | 'low' }
  /** An aggregate over related rows, compared with a number. */
  | {
      readonly kind: 'aggregate';
      readonly measure: AggregateMeasure;
      readonly comparison: Comparison;
      readonly value: number;
    }
  /** Each option is a node without a relation of its own: it speaks of the same row. */
  | { readonly kind: 'either'; readonly options: readonly EntityNode[] };

export type ConditionValue =
  | Literal
  /** A text attribute that is compared as a number. */
  | { readonly kind: 'number-of-text'; readonly value: number }
  | { readonly kind: 'overall'; readonly function: AggregateFunction }
  | { readonly kind: 'attribute'; readonly attribute: AttributeId };

/** Something computed over the rows of `node`. */
export interface AggregateMeasure {
  readonly node: EntityNode;
  /** `share`: how many percent of the rows are what `part` says. */
  readonly function: AggregateFunction | 'count' | 'share';
  /** More than one are multiplied: quantity times unit price. Empty for the count of rows. */
  readonly attributes: readonly AttributeId[];
  readonly distinct: boolean;
  /** Of a share: a node without a relation of its own, as an option of `either` is. */
  readonly part?: EntityNode | undefined;
}

export type MeaningOutput =
  | {
      readonly kind: 'attributes';
      readonly node: EntityNode;
      readonly attributes: readonly AttributeId[];
      readonly distinct: boolean;
      readonly entity: boolean;
    }
  | { readonly kind: 'everything'; readonly node: EntityNode }
  | { readonly kind: 'measure'; readonly measure: AggregateMeasure; readonly owner: EntityNode | undefined }
  /** The count that a superlative has made. */
  | { readonly kind: 'again' };

/** An entity, or the values of one of its attributes. */
export interface GroupTarget {
  readonly node: EntityNode;
  readonly attribute?: AttributeId | undefined;
  /** The part of a time that rows share. */
  readonly unit?: TimeUnit | undefined;
}

export interface Superlative {
  /** Whose extreme is wanted. */
  readonly of: GroupTarget;
  readonly measure: AggregateMeasure | { readonly node: EntityNode; readonly attribute: AttributeId };
  readonly end: 'high' | 'low';
  /** How many; undefined for all that share the extreme. */
  readonly limit: number | undefined;
}

export interface MeaningOrder {
  readonly measure:
    | AggregateMeasure
    | { readonly node: EntityNode; readonly attribute: AttributeId }
    | 'first output'
    | 'count';
  readonly direction: 'ascending' | 'descending';
}

/** All that a statement is made of. */
export interface Meaning {
  readonly root: EntityNode;
  readonly outputs: readonly MeaningOutput[];
  readonly groups: readonly GroupTarget[];
  readonly superlatives: readonly Superlative[];
  readonly orders: readonly MeaningOrder[];
  /** Of rows, where a count stands in front of what is listed. */
  readonly limit: number | undefined;
  /** What the reader must know about how the question was read. */
  readonly notes: readonly string[];
}

export function createNode(relation: RelationId): EntityNode {
  return { relation, links: [], conditions: [] };
}

/** Hangs a child below a node and gives it back. */
export function addLink(link: Omit<EntityLink, 'child'>): EntityNode {
  const child = createNode(link.edge.to);
  const whole: EntityLink = { ...link, child };
  link.parent.links.push(whole);
  child.up = whole;
  return child;
}

/** True for a measure over rows, false for a plain attribute. */
export function isAggregate(
  measure: AggregateMeasure | { readonly node: EntityNode; readonly attribute: AttributeId },
): measure is AggregateMeasure {
  return 'function' in measure;
}
