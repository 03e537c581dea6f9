import type { CellReader, IdRanges } from './cell-reader.ts';

/** Postings that a look-up reads in trigrams that are looked at one by one, once it has enough of these… */
const FEW_POSTINGS = 12_000;
/** …and at most. */
const MAX_POSTINGS = 40_000;
/** With so many rare trigrams the common ones add nothing. */
const ENOUGH_GRAMS = 4;
/** Neighbouring trigrams that are common each are looked up together, so many at a time. */
const WINDOW = 4;
const MAX_WINDOWS = 8;
const IDS_PER_WINDOW = 1_000;

/**
 * Ids of the values that share most with a text, by its trigrams in the order of the text: rare ones one by one; where
 * there are few of them, common ones in runs of four. A shared trigram counts the more the rarer it is. The work is
 * bounded, however large the index is.
 *
 * @returns best first.
 */
export function gramCandidates(
  reader: CellReader,
  grams: readonly string[],
  options: { readonly values: number; readonly ranges: IdRanges; readonly limit: number },
): number[] {
  const { values, ranges, limit } = options;
  const counts = reader.gramCounts(grams);
  const weights = counts.map((count) => Math.log2(1 + values / Math.max(1, count)));
  const scores = new Map<number, number>();
  const add = (ids: readonly number[], weight: number): void => {
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + weight);
  };
  const rarest = grams
    .map((_, place) => place)
    .filter((place) => (counts[place] ?? 0) > 0)
    .sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
  const single = new Set<number>();
  let postings = 0;
  for (const place of rarest) {
    postings += counts[place] ?? 0;
    if (postings > (single.size < ENOUGH_GRAMS ? MAX_POSTINGS : FEW_POSTINGS)) break;
    single.add(place);
  }
  for (const place of single) add(reader.withGrams([grams[place] ?? ''], ranges, MAX_POSTINGS), weights[place] ?? 0);
  if (single.size < ENOUGH_GRAMS)
    for (const window of windows(counts, single))
      add(
        reader.withGrams(
          window.map((place) => grams[place] ?? ''),
          ranges,
          IDS_PER_WINDOW,
        ),
        window.reduce((sum, place) => sum + (weights[place] ?? 0), 0),
      );
  return best(scores, limit);
}

/** Trigrams of a piece that a value must all have. */
const PIECE_GRAMS = 4;
const IDS_PER_PIECE = 64;

/**
 * Ids of the values that have all of the rarest trigrams of one third of a text (of a short text: of one half): a
 * single edit spoils two of them at most, however common all trigrams are.
 */
export function pieceCandidates(reader: CellReader, grams: readonly string[], ranges: IdRanges): number[] {
  const pieces = grams.length < 9 ? 2 : 3;
  const size = Math.ceil(grams.length / pieces);
  const found = new Set<number>();
  for (let at = 0; at < grams.length; at += size)
    for (const id of withRarest(reader, grams.slice(at, at + size), PIECE_GRAMS, ranges, IDS_PER_PIECE)) found.add(id);
  return [...found];
}

/** Ids of the values that have all of the rarest ones of some trigrams; none where one of these is in no value. */
export function withRarest(
  reader: CellReader,
  grams: readonly string[],
  size: number,
  ranges: IdRanges,
  limit: number,
): number[] {
  const counts = reader.gramCounts(grams);
  const rarest = grams
    .map((gram, place) => ({ gram, count: counts[place] ?? 0 }))
    .sort((a, b) => a.count - b.count)
    .slice(0, size);
  if (rarest.length === 0 || rarest[0]?.count === 0) return [];
  return reader.withGrams(
    rarest.map(({ gram }) => gram),
    ranges,
    limit,
  );
}

/** Runs of neighbouring trigrams that are too common to be looked at one by one, the most selective first. */
function windows(counts: readonly number[], single: ReadonlySet<number>): number[][] {
  const found: number[][] = [];
  let run: number[] = [];
  for (let place = 0; place <= counts.length; place += 1) {
    if (place < counts.length && (counts[place] ?? 0) > 0 && !single.has(place)) run.push(place);
    else run = [];
    if (run.length < WINDOW) continue;
    found.push(run);
    run = [];
  }
  const rarest = (window: readonly number[]): number => Math.min(...window.map((place) => counts[place] ?? 0));
  return found.sort((a, b) => rarest(a) - rarest(b)).slice(0, MAX_WINDOWS);
}

/** Steps of scores in which the best ones are told from the others: cheaper than sorting all of them. */
const STEPS = 256;

function best(scores: ReadonlyMap<number, number>, limit: number): number[] {
  let highest = 0;
  for (const score of scores.values()) if (score > highest) highest = score;
  const stepOf = (score: number): number => Math.min(STEPS - 1, Math.floor((score / highest) * STEPS));
  const perStep = new Uint32Array(STEPS);
  for (const score of scores.values()) perStep[stepOf(score)] = (perStep[stepOf(score)] ?? 0) + 1;
  let least = STEPS - 1;
  for (let taken = perStep[least] ?? 0; taken < limit && least > 0; taken += perStep[least] ?? 0) least -= 1;
  const found: [id: number, score: number][] = [];
  for (const entry of scores) if (stepOf(entry[1]) >= least) found.push(entry);
  return found
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, limit)
    .map(([id]) => id);
}
