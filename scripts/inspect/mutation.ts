import type { Catalog, Edit, SchemaIndex } from '@askema/core';
import type { QueryBlock, QueryShape } from '@askema/sql';
import { seededRandom } from './seeded-random.ts';

/** What is broken in a statement. */
export const MUTATION_CLASSES = [
  'wrong-column',
  'dropped-join',
  'swapped-foreign-key',
  'missing-group-by',
  'unheld-literal',
] as const;

export type MutationClass = (typeof MUTATION_CLASSES)[number];

/** A statement that was right, with one mistake in it. */
export interface Mutation {
  readonly kind: MutationClass;
  /** What a detector may see or not see: `same relation, where`. */
  readonly subKind: string;
  readonly sql: string;
}

/** What the mutations of a statement are made from. */
export interface MutationSource {
  readonly sql: string;
  readonly shape: QueryShape;
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  /** From 0 up to 1, without 1. */
  readonly random: () => number;
}

/** The statement after one edit or several that do not overlap. */
export function edited(sql: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((text, { span, text: put }) => text.slice(0, span.start) + put + text.slice(span.end), sql);
}

/** The same members in an order that the generator decides (Fisher and Yates). */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [copy[last], copy[other]] = [copy[other] as T, copy[last] as T];
  }
  return copy;
}

/** Numbers from 0 up to 1; the same words give the same numbers. */
export function randomOf(words: string): () => number {
  let seed = 2_166_136_261;
  for (const character of words) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return seededRandom(seed);
}

/** Every block of the statement that is a SELECT. */
export function selectsOf(shape: QueryShape): readonly QueryBlock[] {
  return shape.blocks.filter(({ kind }) => kind === 'select');
}
