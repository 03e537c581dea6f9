import { AskemaError, checkWhole, didYouMean } from '@askema/core';
import { sha256 } from '../sha256.ts';
import type { DatasetQuestion } from './read/dataset.ts';

const DEFAULT_SEED = 1;

/** Which questions of a dataset are meant. */
export interface QuestionSelection {
  /** The first so many of the selected questions. */
  readonly limit?: number | undefined;
  readonly category?: string | readonly string[] | undefined;
  readonly difficulty?: string | readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  /** So many questions, spread over all categories in proportion; the same seed draws the same ones. */
  readonly sample?: number | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
}

/**
 * Chooses questions, in the order of the dataset: first by `ids`, `category` and `difficulty`, then a `sample` spread
 * over the categories in proportion (at least one of each where the sample allows it), then the first `limit`.
 *
 * A sample takes the questions whose hash with the seed is smallest, so the same seed draws the same ones on every
 * machine, and most of them again when the dataset has grown.
 *
 * @throws AskemaError `INPUT_INVALID` for an id, a category or a difficulty that no question has, and when nothing is
 * left.
 */
export function selectQuestions(
  questions: readonly DatasetQuestion[],
  selection: QuestionSelection = {},
): readonly DatasetQuestion[] {
  const ids = wanted('id', selection.ids, new Set(questions.map((question) => question.id)));
  const categories = wanted('category', selection.category, new Set(questions.map((question) => question.category)));
  const difficulties = wanted(
    'difficulty',
    selection.difficulty,
    new Set(questions.map((question) => question.difficulty)),
  );
  const filtered = questions.filter(
    (question) =>
      (ids?.has(question.id) ?? true) &&
      (categories?.has(question.category) ?? true) &&
      (difficulties?.has(question.difficulty) ?? true),
  );
  const { sample, limit } = selection;
  if (sample !== undefined) checkWhole('sample', sample);
  if (limit !== undefined) checkWhole('limit', limit);
  const drawn = sample === undefined ? filtered : drawSample(filtered, sample, selection.seed ?? DEFAULT_SEED);
  const selected = drawn.slice(0, limit);
  if (selected.length === 0) {
    throw new AskemaError('INPUT_INVALID', 'No question fits the selection; loosen ids, category or difficulty.');
  }
  return selected;
}

function wanted(
  name: string,
  asked: string | readonly string[] | undefined,
  known: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  if (asked === undefined) return undefined;
  const names = typeof asked === 'string' ? [asked] : asked;
  for (const value of names) {
    if (known.has(value)) continue;
    const list = known.size <= 12 ? ` There are: ${[...known].join(', ')}.` : '';
    throw new AskemaError(
      'INPUT_INVALID',
      `No question has the ${name} ${value}. ${didYouMean(value, known)}${list}`.trim(),
    );
  }
  return new Set(names);
}

function drawSample(questions: readonly DatasetQuestion[], size: number, seed: number): readonly DatasetQuestion[] {
  const byCategory = Map.groupBy(questions, (question) => question.category);
  const shares = allocate(new Map([...byCategory].map(([name, members]) => [name, members.length])), size);
  const drawn = new Set<string>();
  for (const [category, members] of byCategory) {
    const ranked = members
      .map((question) => ({ id: question.id, rank: rankOf(seed, question.id) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1));
    for (const { id } of ranked.slice(0, shares.get(category) ?? 0)) drawn.add(id);
  }
  return questions.filter((question) => drawn.has(question.id));
}

function rankOf(seed: number, id: string): string {
  return sha256(`${seed}:${id}`);
}

/** Shares of `size` in proportion to the counts, by largest remainder, at least 1 each while there are enough. */
export function allocate(counts: ReadonlyMap<string, number>, size: number): Map<string, number> {
  const total = [...counts.values()].reduce((sum, value) => sum + value, 0);
  const wantedSize = Math.min(size, total);
  const floor = wantedSize >= counts.size ? 1 : 0;
  const exact = [...counts].map(([name, value]) => ({ name, value, share: (value * wantedSize) / total }));
  const shares = new Map(
    exact.map(({ name, value, share }) => [name, Math.min(value, Math.max(floor, Math.floor(share)))]),
  );
  const given = (): number => [...shares.values()].reduce((sum, value) => sum + value, 0);
  // What is farthest below its exact share gets the next one; what is farthest above it gives one back.
  while (given() !== wantedSize) {
    const direction = given() < wantedSize ? 1 : -1;
    const movable = exact.filter(({ name, value }) => {
      const share = shares.get(name) ?? 0;
      return direction === 1 ? share < value : share > floor;
    });
    const gap = (entry: { name: string; share: number }): number =>
      direction * (entry.share - (shares.get(entry.name) ?? 0));
    movable.sort((a, b) => gap(b) - gap(a) || (a.name < b.name ? -1 : 1));
    const chosen = movable[0];
    if (chosen === undefined) return shares;
    shares.set(chosen.name, (shares.get(chosen.name) ?? 0) + direction);
  }
  return shares;
}
