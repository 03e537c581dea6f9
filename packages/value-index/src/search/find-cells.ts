import { likeness, MIN_CELL_SCORE, type SurfaceForms, surfaceForms } from '@askema/grounding';
import { ID_RANGE } from '../store/index-schema.ts';
import { gramsOf, gramText, hashesOfText, hashSquashed } from '../store/value-forms.ts';
import type { CellReader, FoundCell, IdRanges } from './cell-reader.ts';
import { gramCandidates, pieceCandidates, withRarest } from './gram-candidates.ts';

/** A cell of an attribute, by number, and how much it is like the text. */
export interface ScoredCell {
  readonly attribute: number;
  readonly cell: string;
  readonly score: number;
}

interface FindCells {
  readonly reader: CellReader;
  readonly text: string;
  readonly ranges: IdRanges;
  /** True for numbers of attributes whose cells count. */
  readonly counts: (attribute: number) => boolean;
  /** Values of the whole index, about. */
  readonly values: number;
  /** Less alike cells are not wanted. */
  readonly minScore: number;
  readonly limit: number;
}

/** From here on a cell differs from a text in its spelling alone: nothing nearer is to be expected. */
const NEAR_SCORE = 0.88;
/** Most words of a long text with one edit or one abbreviation: the dearer stages seldom bring anything nearer. */
const LIKE_ENOUGH = 0.8;
/** In an index of fewer values the dearer stages cost little, and a part of a text may be anywhere. */
const SMALL_INDEX = 50_000;
/** Cells of one hash: a value may occur in very many attributes. */
const CELLS_PER_HASH = 500;
/** Cells that are compared letter by letter, at most. */
const COMPARED = 128;
const NEAR_CELLS = 200;

/**
 * Finds cells by their text, in stages: under the hashes of its forms, then, when nothing there differs in spelling
 * alone, by one edit of a short text, by trigrams and by initials. Ranked by core's `likeness`.
 */
export function findCells(query: FindCells): readonly ScoredCell[] {
  const { reader, ranges } = query;
  const forms = surfaceForms(query.text);
  const likeEnough = query.values < SMALL_INDEX ? NEAR_SCORE : LIKE_ENOUGH;
  if (forms.squashed === '') return [];
  const { spelled, other } = hashesOfText(forms);
  const ranking = createRanking(forms, query);
  ranking.add(reader.byHash(spelled, ranges, CELLS_PER_HASH));
  if (ranking.best() >= NEAR_SCORE) return ranking.take();
  ranking.add(reader.byHash(other, ranges, CELLS_PER_HASH));
  if (ranking.best() >= NEAR_SCORE || query.minScore >= LIKE_ENOUGH) return ranking.take();
  const near = nearSpellings(forms.squashed).map(hashSquashed);
  if (near.length > 0) ranking.add(reader.cells(within(reader.idsByHashes(near, NEAR_CELLS), ranges)));
  // `Jet Blue` begins `JetBlue Airways`: the blank may stand on one side only.
  for (const grams of [prefixGrams(forms.words), prefixGrams([forms.squashed], forms.squashed.length)])
    ranking.add(reader.cells(withRarest(reader, grams, PREFIX_GRAMS, ranges, COMPARED)));
  if (ranking.best() >= likeEnough) return ranking.take();
  const grams = gramsOf(gramText(forms)).filter((gram) => !gram.includes('\0'));
  ranking.add(reader.cells(pieceCandidates(reader, grams, ranges)));
  if (ranking.best() >= likeEnough) return ranking.take();
  const ids = gramCandidates(reader, grams, { values: query.values, ranges, limit: COMPARED });
  ranking.add(reader.cells(ids));
  return ranking.take();
}

/** More words tell no more. */
const MAX_PREFIX_WORDS = 5;
const PREFIX_GRAMS = 6;
const PREFIX_LENGTH = 5;

/** Trigrams of the beginnings of words: a cell that has all of them may be what an abbreviation stands for. */
function prefixGrams(words: readonly string[], length = PREFIX_LENGTH): readonly string[] {
  const grams = words.slice(0, MAX_PREFIX_WORDS).flatMap((word) => gramsOf(` ${[...word].slice(0, length).join('')}`));
  return [...new Set(grams)];
}

function within(ids: readonly number[], ranges: IdRanges): readonly number[] {
  if (ranges === undefined) return ids;
  return ids.filter((id) => ranges.some(([from, to]) => id >= from && id < to));
}

interface Ranking {
  add(found: readonly FoundCell[]): void;
  best(): number;
  take(): readonly ScoredCell[];
}

function createRanking(forms: SurfaceForms, { counts, limit, minScore }: FindCells): Ranking {
  const scores = new Map<string, number>();
  const seen = new Map<number, ScoredCell>();
  let best = 0;
  return {
    add(found) {
      for (const { id, cell } of found) {
        const attribute = Math.floor(id / ID_RANGE);
        if (seen.has(id) || !counts(attribute)) continue;
        let score = scores.get(cell);
        if (score === undefined) {
          score = likeness(forms, cell).score;
          scores.set(cell, score);
        }
        if (score < Math.max(MIN_CELL_SCORE, minScore)) continue;
        seen.set(id, { attribute, cell, score });
        best = Math.max(best, score);
      }
    },
    best: () => best,
    take: () => [...seen.values()].sort(byScore).slice(0, limit),
  };
}

/** Best first; of equally alike cells the shorter first, then by their text, then in the order of the index. */
export function byScore(a: ScoredCell, b: ScoredCell): number {
  if (b.score !== a.score) return b.score - a.score;
  if (a.cell.length !== b.cell.length) return a.cell.length - b.cell.length;
  if (a.cell !== b.cell) return a.cell < b.cell ? -1 : 1;
  return a.attribute - b.attribute;
}

/** Texts longer than this have enough trigrams to be found by what is left of them. */
const MAX_NEAR_LENGTH = 9;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/**
 * Every text that is one edit away from a short one: a letter too many, two letters swapped, one missing or another
 * one. Short words have so few trigrams that one edit leaves none. Letters of other scripts are only swapped and left
 * out.
 */
function nearSpellings(squashed: string): readonly string[] {
  const letters = [...squashed];
  if (letters.length < 3 || letters.length > MAX_NEAR_LENGTH) return [];
  const found = new Set<string>();
  for (let at = 0; at <= letters.length; at += 1) {
    const before = letters.slice(0, at).join('');
    const [here = '', next = ''] = letters.slice(at, at + 2);
    const rest = letters.slice(at + 1).join('');
    for (const letter of LETTERS) {
      found.add(`${before}${letter}${here}${rest}`);
      if (here !== '') found.add(`${before}${letter}${rest}`);
    }
    if (here === '') continue;
    found.add(`${before}${rest}`);
    if (next !== '') found.add(`${before}${next}${here}${letters.slice(at + 2).join('')}`);
  }
  found.delete(squashed);
  return [...found];
}
