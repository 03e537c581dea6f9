import { namePattern } from './name-patterns.ts';
import type { Sheet, SheetColumn } from './relation-sheet.ts';

/**
 * Relations of unlike names share a block only where this many characters are saved; small schemas stay as they are.
 */
const MIN_SHARED_CHARACTERS = 400;
/**
 * A difference is told only where it is this much shorter than the whole: between names that are alike but for numbers,
 * and between others, where a reader would not look for it; when room is scarce, as much for all.
 */
const MIN_DELTA_CHARACTERS = 200;
const MIN_UNLIKE_DELTA_CHARACTERS = 800;
const MAX_DELTA_SHARE = 0.6;
/** Relations with a common share of columns find each other by so many minima of hashes. */
const MIN_HASHES = 12;
const MAX_CANDIDATES = 6;
/**
 * Columns that nearly all relations have (`id`, `created_at`) make minima that nearly all share. Only the first so many,
 * those that save most, are kept for each: otherwise the time grows with the square of the relations.
 */
const MAX_BUCKET = 64;

/** Relations that are described together: of one schema and kind, with the same columns and keys. */
export interface Block {
  readonly members: readonly Sheet[];
  /** Another block whose columns this one has, but for `columns` (added or replaced) and `without`. */
  readonly base: Block | undefined;
  /** All columns where there is no base. */
  readonly columns: readonly SheetColumn[];
  /** Names of the base's columns that are missing, as SQL. */
  readonly without: readonly string[];
}

interface Draft extends Block {
  base: Block | undefined;
  columns: readonly SheetColumn[];
  without: readonly string[];
  /** A number for each column: equal columns (name, type, constraints, fields) have equal numbers. */
  readonly numbers: Uint32Array;
  readonly characters: number;
  /** Names of the members without their numbers. */
  readonly shapes: readonly string[];
}

/**
 * Relations in blocks, in the order of their first members, a base before those that refer to it. Nothing is lost: each
 * relation is in one block, and its columns follow from the block and its base. Linear in the columns.
 */
export function groupSheets(sheets: readonly Sheet[], isTight = false): Block[] {
  const numbers = new Map<string, number>();
  const places = new Map<string, Map<string, Sheet[]>>();
  for (const sheet of sheets) {
    const place = `${sheet.kind} ${sheet.qualifier} ${sheet.isBrief === true}`;
    const signatures = places.get(place) ?? new Map<string, Sheet[]>();
    places.set(place, signatures);
    const signature = signatureOf(sheet);
    const same = signatures.get(signature);
    if (same !== undefined) {
      same.push(sheet);
      continue;
    }
    signatures.set(signature, [sheet]);
    // Numbers follow the order of the relations.
    for (const column of sheet.columns) numberOf(numbers, columnLine(column));
  }
  const blocks: Draft[] = [];
  for (const signatures of places.values()) {
    const drafts = [...signatures.values()].flatMap((same) => splitUnlike(same, numbers));
    findBases(drafts, isTight ? MIN_DELTA_CHARACTERS : MIN_UNLIKE_DELTA_CHARACTERS);
    blocks.push(...drafts);
  }
  return inOrder(blocks);
}

const known = new WeakMap<Sheet, string>();

/** Equal for relations with the same columns, in any order, and the same keys. Made once for a sheet. */
function signatureOf(sheet: Sheet): string {
  let signature = known.get(sheet);
  if (signature === undefined) {
    const lines = sheet.columns.map(columnLine).sort();
    signature = [...lines, '', ...sheet.keys.map(({ sql, remark }) => `${sql} ${remark}`)].join('\n');
    known.set(sheet, signature);
  }
  return signature;
}

/** What makes a column the same as another. */
function columnLine({ name, type, constraints, fields }: SheetColumn): string {
  return `${name} ${type}${constraints} ${fields}`;
}

function numberOf(numbers: Map<string, number>, line: string): number {
  let number = numbers.get(line);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(line, number);
  }
  return number;
}

/** Relations with the same columns: together when one name pattern covers them, or when much is saved. */
function splitUnlike(same: readonly Sheet[], numbers: Map<string, number>): Draft[] {
  const families = Map.groupBy(same, ({ name }) => namePattern(name));
  const characters = bodyCharacters(same[0]?.columns ?? []);
  const saved = (families.size - 1) * (characters + (same[0]?.qualifier.length ?? 0) + 20);
  const groups = saved >= MIN_SHARED_CHARACTERS ? [[...same]] : [...families.values()];
  return groups.map((members) => ({
    members,
    base: undefined,
    columns: members[0]?.columns ?? [],
    without: [],
    numbers: Uint32Array.from(members[0]?.columns ?? [], (column) => numberOf(numbers, columnLine(column))),
    characters,
    shapes: [...new Set(members.map(({ name }) => name.replace(/\d+/g, '0')))],
  }));
}

function bodyCharacters(columns: readonly SheetColumn[]): number {
  return columns.reduce((sum, column) => sum + columnLine(column).length + 4, 0);
}

/** Chooses bases among the largest blocks of a schema; a base has none itself, so that a reader looks up one name. */
function findBases(drafts: readonly Draft[], minUnlike: number): void {
  if (drafts.length < 2) return;
  const buckets = new Map<number, number[]>();
  const counts = new Uint8Array(drafts.length);
  const order = [...drafts.keys()].sort((a, b) => weight(drafts[b]) - weight(drafts[a]) || a - b);
  for (const at of order) {
    const draft = drafts[at];
    if (draft === undefined || draft.columns.length === 0) continue;
    const minima = minHashes(draft.numbers);
    const bases = candidates(buckets, minima, counts).flatMap((place) => drafts[place] ?? []);
    const best = bestBase(draft, bases, minUnlike);
    if (best === undefined) {
      for (const minimum of minima) {
        const bucket = buckets.get(minimum);
        if (bucket === undefined) buckets.set(minimum, [at]);
        else if (bucket.length < MAX_BUCKET) bucket.push(at);
      }
      continue;
    }
    draft.base = best.base;
    draft.columns = best.added;
    draft.without = best.without;
  }
}

/** A base that many share saves most; among equals the longer one, since leaving out costs less than adding. */
function weight(draft: Draft | undefined): number {
  return draft === undefined ? 0 : draft.members.length * draft.characters;
}

/**
 * Places of the drafts that share most minima, those found first before others.
 *
 * @param counts one for each draft, all 0, and so again at the end.
 */
function candidates(
  buckets: ReadonlyMap<number, readonly number[]>,
  minima: readonly number[],
  counts: Uint8Array,
): number[] {
  const found: number[] = [];
  for (const minimum of minima)
    for (const place of buckets.get(minimum) ?? []) {
      const count = counts[place] ?? 0;
      if (count === 0) found.push(place);
      counts[place] = count + 1;
    }
  const best: number[] = [];
  for (let count = minima.length; count > 0 && best.length < MAX_CANDIDATES; count -= 1)
    for (const place of found) if (counts[place] === count && best.length < MAX_CANDIDATES) best.push(place);
  for (const place of found) counts[place] = 0;
  return best;
}

interface Difference {
  readonly base: Draft;
  readonly added: readonly SheetColumn[];
  readonly without: readonly string[];
  readonly characters: number;
}

function bestBase(draft: Draft, bases: readonly Draft[], minUnlike: number): Difference | undefined {
  let best: Difference | undefined;
  for (const base of bases) {
    const found = difference(draft, base);
    if (best === undefined || found.characters < best.characters) best = found;
  }
  if (best === undefined) return undefined;
  const saved = draft.characters - best.characters;
  const isAlike = draft.shapes.some((shape) => best.base.shapes.includes(shape));
  return saved >= (isAlike ? MIN_DELTA_CHARACTERS : minUnlike) && best.characters <= MAX_DELTA_SHARE * draft.characters
    ? best
    : undefined;
}

function difference(draft: Draft, base: Draft): Difference {
  const shared = new Set(base.numbers);
  const added = draft.columns.filter((_, at) => !shared.has(draft.numbers[at] ?? -1));
  const names = new Set(draft.columns.map(({ name }) => name));
  const without = base.columns.map(({ name }) => name).filter((name) => !names.has(name));
  const characters = bodyCharacters(added) + without.reduce((sum, name) => sum + name.length + 2, 40);
  return { base, added, without, characters };
}

/** For sets of numbers the chance to share a minimum is the share of common members (Broder 1997). */
function minHashes(numbers: Uint32Array): number[] {
  const minima: number[] = [];
  for (let seed = 1; seed <= MIN_HASHES; seed += 1) {
    let least = 0xffffffff;
    for (const number of numbers) {
      let hash = Math.imul(number ^ (seed * 0x9e3779b1), 0x85ebca6b);
      hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
      hash = (hash ^ (hash >>> 16)) >>> 0;
      if (hash < least) least = hash;
    }
    minima.push(least * MIN_HASHES + seed);
  }
  return minima;
}

function inOrder(blocks: readonly Draft[]): Block[] {
  const position = ({ members }: Block): number => members[0]?.position ?? 0;
  const followers = Map.groupBy(blocks, ({ base }) => base);
  const ascending = (a: Block, b: Block): number => position(a) - position(b);
  return blocks
    .filter(({ base }) => base === undefined)
    .sort(ascending)
    .flatMap((block) => [block, ...(followers.get(block) ?? []).sort(ascending)]);
}
