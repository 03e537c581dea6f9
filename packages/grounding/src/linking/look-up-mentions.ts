import type { AttributeId, CallContext, Catalog, RelationId, SchemaIndex, ValueIndex, ValueMatch } from '@askema/core';
import { type MentionForm, matchesOfCell } from './mention-forms.ts';
import type { Mention } from './question-mentions.ts';
import { textAttributes } from './searchable-attributes.ts';

/** What an index knows of the relations. */
export interface Covered {
  /** Every distinct cell of their text is in the index. */
  readonly relations: ReadonlySet<RelationId>;
  readonly attributes: readonly AttributeId[];
}

/** Asks the index which of these relations it knows. */
export async function findCovered(
  valueIndex: ValueIndex | undefined,
  about: {
    readonly catalog: Catalog;
    readonly index: SchemaIndex;
    readonly relations: readonly RelationId[];
    readonly context: CallContext;
  },
): Promise<Covered> {
  const relations = new Set<RelationId>();
  const attributes: AttributeId[] = [];
  if (valueIndex === undefined) return { relations, attributes };
  for (const relation of about.relations) {
    const texts = textAttributes(about.catalog, about.index, relation);
    const coverage = await Promise.all(texts.map((id) => valueIndex.covers?.(id, about.context) ?? 'part'));
    attributes.push(...texts.filter((_, place) => coverage[place] !== 'none'));
    if (coverage.every((known) => known === 'whole')) relations.add(relation);
  }
  return { relations, attributes };
}

/** Cells of one mention, at most. */
const MAX_CELLS = 50;
/** A plural, or marks inside: what {@link matchesOfCell} takes is never less alike. */
const MIN_SCORE = 0.8;

/**
 * Looks each piece of the question up by itself: an index that is given the whole question can only say which cells
 * are a little like all of it. Single words first, as long as the time allows.
 */
export async function lookUpMentions(
  valueIndex: ValueIndex | undefined,
  mentions: readonly Mention[],
  about: {
    readonly forms: ReadonlyMap<string, readonly MentionForm[]>;
    readonly covered: Covered;
    readonly deadline: number;
    readonly context: CallContext;
  },
): Promise<{ readonly matches: readonly ValueMatch[]; readonly isWhole: boolean }> {
  const { forms, covered, deadline, context } = about;
  const { attributes } = covered;
  if (valueIndex === undefined || attributes.length === 0) return { matches: [], isWhole: true };
  const found = new Map<string, readonly ValueMatch[]>();
  let isWhole = true;
  for (const { text } of mentions.toReversed()) {
    if (Date.now() >= deadline) return { matches: [...found.values()].flat(), isWhole: false };
    const cells = await valueIndex.find({ text, attributes, limit: MAX_CELLS, minScore: MIN_SCORE, context });
    isWhole &&= cells.length < MAX_CELLS;
    for (const { attribute, value } of cells)
      found.set(JSON.stringify([attribute, value]), matchesOfCell(attribute, value, forms));
  }
  return { matches: [...found.values()].flat(), isWhole };
}
