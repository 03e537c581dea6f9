import type { Adapter, AttributeId, CallContext, RelationId, ValueIndex, ValueMatch } from '@askema/core';
import { LIKENESS_SCORES, likeness, rankCells, textAttributes } from '@askema/grounding';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';

/** What to search, and how much of it to return. */
interface NearCellsOptions {
  readonly adapter: Adapter;
  readonly valueIndex: ValueIndex;
  readonly nearest: number;
  readonly elsewhere: number;
  readonly timeoutMs: number;
  readonly context: CallContext;
}

/** What the database holds instead of a value. */
export interface NearCells {
  /** Cells of the column itself, best first. Where none is like the value: some of its cells, as samples. */
  readonly here: readonly ValueMatch[];
  /** `here` are samples: nothing in the column is like the value. */
  readonly areSamples: boolean;
  /**
   * The same or near values in other columns: of the relations of FROM first, then of their neighbours, then anywhere.
   */
  readonly elsewhere: readonly ValueMatch[];
  /** How much of the column was searched. */
  readonly coverage: 'whole' | 'part' | 'none';
}

/** From this score on two texts differ in spelling alone, or are names of one thing. */
const SPELLED_ALIKE = LIKENESS_SCORES['known equivalent'];
const NOISE_DISTANCE = 0.15;
/** A cell of another column must be more alike than one of the column that was meant. */
const MIN_ELSEWHERE_SCORE = 0.7;

/**
 * The cells nearest to a text, in its attribute and in others.
 *
 * @throws AskemaError `ABORTED`, and what the value index rejects with.
 */
export async function nearCells(
  query: ResolvedQuery,
  attribute: AttributeId,
  text: string,
  options: NearCellsOptions,
): Promise<NearCells> {
  const { valueIndex, context, nearest } = options;
  const coverage = (await valueIndex.covers?.(attribute, context)) ?? 'part';
  const found = await valueIndex.find({ text, attributes: [attribute], limit: Math.max(nearest, 2), context });
  const here = found.length > 0 ? withoutNoise(found) : await samples(query, attribute, text, options);
  const elsewhere = options.elsewhere < 1 ? [] : await cellsElsewhere(query, attribute, text, options);
  return { here, areSamples: found.length === 0, elsewhere, coverage };
}

/** Where a cell is the same thing in another spelling, cells that are far less alike are left out. */
function withoutNoise(matches: readonly ValueMatch[]): readonly ValueMatch[] {
  const best = Math.max(0, ...matches.map(({ score }) => score));
  return best < SPELLED_ALIKE ? matches : matches.filter(({ score }) => score >= best - NOISE_DISTANCE);
}

async function samples(
  { catalog }: ResolvedQuery,
  attribute: AttributeId,
  text: string,
  { adapter, nearest, timeoutMs, context }: NearCellsOptions,
): Promise<readonly ValueMatch[]> {
  if (nearest < 1) return [];
  const sampled = await adapter.sampleValues([attribute], { catalog, limit: nearest, timeoutMs, context });
  const texts = (sampled[attribute] ?? []).filter((value) => typeof value === 'string');
  return rankCells(text, texts, { limit: nearest, minScore: 0 })
    .concat(unlike(text, texts))
    .slice(0, nearest)
    .map(({ value, score }) => ({ mention: text, attribute, value, score }));
}

/** `rankCells` leaves out what is not alike at all. */
function unlike(text: string, cells: readonly string[]) {
  return cells.map((value) => ({ value, ...likeness(text, value) })).filter(({ score }) => score === 0);
}

async function cellsElsewhere(
  query: ResolvedQuery,
  attribute: AttributeId,
  text: string,
  { valueIndex, elsewhere, context }: NearCellsOptions,
): Promise<readonly ValueMatch[]> {
  const own = fromRelations(query);
  const near = new Set([...own].flatMap((relation) => query.index.neighbours(relation)).filter((id) => !own.has(id)));
  const distance = ({ attribute: id }: ValueMatch): number => {
    const relation = query.index.attribute(id)?.relation ?? '';
    if (own.has(relation)) return 0;
    return near.has(relation) ? 1 : 2;
  };
  const closeBy = [...own, ...near]
    .flatMap((relation) => textAttributes(query.catalog, query.index, relation))
    .filter((id) => id !== attribute);
  const limit = elsewhere * 3;
  const lists = [
    closeBy.length === 0 ? [] : await valueIndex.find({ text, attributes: closeBy, limit, context }),
    await valueIndex.find({ text, limit, context }),
  ];
  const unique = new Map(lists.flat().map((match) => [JSON.stringify([match.attribute, match.value]), match]));
  const isSpelledAlike = ({ score }: ValueMatch): number => (score >= SPELLED_ALIKE ? 0 : 1);
  const alike = [...unique.values()]
    .filter((match) => match.attribute !== attribute && match.score >= MIN_ELSEWHERE_SCORE)
    .sort((a, b) => isSpelledAlike(a) - isSpelledAlike(b) || distance(a) - distance(b) || b.score - a.score);
  return withoutNoise(alike).slice(0, elsewhere);
}

function fromRelations(query: ResolvedQuery): ReadonlySet<RelationId> {
  return new Set(
    query.blocks.flatMap(({ relations }) =>
      relations.flatMap((relation) => (relation.kind === 'relation' ? [relation.id] : [])),
    ),
  );
}
