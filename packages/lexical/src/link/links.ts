import type { AttributeId, ForeignKey, RelationId } from '@askema/core';

/**
 * What a piece of a question may denote. `cost` says how far the words are from the name: 0 for the same words; a link
 * that costs 1 or more is no link.
 */
export type TermLink = RelationLink | AttributeLink | RoleLink;

interface RelationLink {
  readonly kind: 'relation';
  readonly relation: RelationId;
  readonly cost: number;
}

interface AttributeLink {
  readonly kind: 'attribute';
  readonly relation: RelationId;
  readonly attribute: AttributeId;
  /** Multiplied with the attribute: unit price with quantity. */
  readonly factor?: AttributeId | undefined;
  /** True for what the noun denotes although no column is called so: it is added up, and never listed. */
  readonly isFigure?: boolean | undefined;
  readonly cost: number;
}

/**
 * The entity that a key points to, named by the key: "eye colour" for `eye_colour_id`. `relation` is the one that holds
 * the key.
 */
interface RoleLink {
  readonly kind: 'role';
  readonly relation: RelationId;
  readonly foreignKey: ForeignKey;
  readonly cost: number;
}

/** Tokens `start` to `end` (exclusive) with what they may denote. */
export interface TermMention {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly plural: boolean;
  readonly links: readonly TermLink[];
  /** "name", "id", "details": decided by the entity that they belong to. */
  readonly generic?: 'name' | 'id' | 'details' | undefined;
}

/** A cell that the tokens may mean. */
export interface ValueLink {
  readonly relation: RelationId;
  readonly attribute: AttributeId;
  readonly value: string;
  readonly cost: number;
}

export interface ValueMention {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly quoted: boolean;
  readonly links: readonly ValueLink[];
}
