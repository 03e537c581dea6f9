import { isCalendar, toRanges, writeRanges } from './number-ranges.ts';

/** The characters around ranges inside names: such that no name of the catalog has. */
export interface Brackets {
  readonly open: string;
  readonly close: string;
}

const BRACKETS: readonly Brackets[] = ['{}', '⟨⟩', '«»', '【】'].map((pair) => ({
  open: pair[0] ?? '',
  close: pair[1] ?? '',
}));

/** Names with more runs of digits than this are written as they are. */
const MAX_RUNS = 8;

/** So many in a row a type token must have to be written as a range: `chr1`, `chr2`, …, but never `1YR` with `5YR`. */
const MIN_TOKEN_RANGE = 3;

/** The first pair of brackets that stands in no name; undefined when each does: then no name is shortened. */
export function chooseBrackets(names: Iterable<string>): Brackets | undefined {
  let left = BRACKETS;
  for (const name of names) {
    if (left.length === 0) break;
    if (left.some(({ open, close }) => name.includes(open) || name.includes(close)))
      left = left.filter(({ open, close }) => !name.includes(open) && !name.includes(close));
  }
  return left[0];
}

interface Split {
  /** One more than runs. */
  readonly texts: readonly string[];
  readonly runs: readonly string[];
}

function splitRuns(name: string): Split {
  const pieces = name.split(/(\d+)/);
  return { texts: pieces.filter((_, at) => at % 2 === 0), runs: pieces.filter((_, at) => at % 2 === 1) };
}

/**
 * True for digits that belong to a word (`HG19`, `1YR`, `CHR1`, `v2`): they tell what kind of thing it is. Digits that stand alone
 * between separators, and years and dates, tell which one of a series.
 */
function isTypeToken({ texts, runs }: Split, at: number): boolean {
  const isGlued = /\p{L}$/u.test(texts[at] ?? '') || /^\p{L}/u.test(texts[at + 1] ?? '');
  return isGlued && !isCalendar(runs[at] ?? '');
}

/** Names with equal keys differ in numbers and dates only; type tokens are part of the key. */
export function familyKey(name: string): string {
  const split = splitRuns(name);
  if (split.runs.length > MAX_RUNS) return name;
  return split.texts
    .map((text, at) => text + (at < split.runs.length ? (isTypeToken(split, at) ? split.runs[at] : '*') : ''))
    .join('');
}

/**
 * Names as a list of patterns that stand for exactly these names: `GA_SESSIONS_{20160801..20170801}`. Several ranges in one
 * pattern stand for all their combinations. Order: that of the first name of each pattern.
 */
export function compactNames(names: readonly string[], brackets: Brackets | undefined): string[] {
  if (brackets === undefined || names.length < 2) return [...names];
  const groups = new Map<string, Split[]>();
  for (const name of names) {
    const split = splitRuns(name);
    const key = split.runs.length > MAX_RUNS ? `=${name}` : `*${split.texts.join('\0')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [split]);
    else group.push(split);
  }
  return [...groups.values()].flatMap((group) => compactGroup(group, brackets));
}

function compactGroup(group: readonly Split[], brackets: Brackets): string[] {
  const [first] = group;
  if (first === undefined) return [];
  let rows: (readonly string[])[] = group.map(({ runs }) => runs);
  for (let at = first.runs.length - 1; at >= 0 && rows.length > 1; at -= 1) {
    const merged = new Map<string, { readonly row: readonly string[]; readonly values: string[] }>();
    for (const row of rows) {
      const key = row.with(at, '').join('\0');
      const entry = merged.get(key);
      if (entry === undefined) merged.set(key, { row, values: [row[at] ?? ''] });
      else entry.values.push(row[at] ?? '');
    }
    rows = [...merged.values()].flatMap(({ row, values }) =>
      writeRuns(first, at, values, brackets).map((run) => row.with(at, run)),
    );
  }
  return rows.map((row) => first.texts.map((text, at) => text + (row[at] ?? '')).join(''));
}

function writeRuns(shape: Split, at: number, values: readonly string[], { open, close }: Brackets): string[] {
  if (values.length === 1) return [...values];
  const isToken = values.some((value) => isTypeToken({ ...shape, runs: shape.runs.with(at, value) }, at));
  const ranges = toRanges(values);
  if (!isToken) return [`${open}${writeRanges(ranges)}${close}`];
  return ranges.flatMap((range) =>
    range.count >= MIN_TOKEN_RANGE
      ? [`${open}${writeRanges([range])}${close}`]
      : range.count === 2
        ? [range.first, range.last]
        : [range.first],
  );
}

/** The first of the names that a pattern stands for: where a reader looks for it, the pattern begins with it. */
export function firstName(pattern: string, brackets: Brackets | undefined): string {
  if (brackets === undefined) return pattern;
  return pattern
    .split(brackets.open)
    .map((piece, at) => (at === 0 ? piece : piece.replace(/^(\d+)[\d.,]*./su, '$1')))
    .join('');
}

/** The same, whichever brackets it was written with. A name without ranges stays as it is. */
export function firstOfPattern(pattern: string): string {
  const brackets = BRACKETS.find(({ open, close }) => pattern.includes(open) && pattern.includes(close));
  return firstName(pattern, brackets);
}

/**
 * The number of names from the beginning of a list that one range can stand for: they differ in one run of digits, which goes up
 * by one. 1 when there is no such range.
 */
export function runLength(names: readonly string[], start: number): number {
  const first = names[start];
  const second = names[start + 1];
  if (first === undefined || second === undefined) return 1;
  const shape = splitRuns(first);
  const at = onlyDifference(shape, splitRuns(second));
  if (at === undefined) return 1;
  let length = 1;
  const values = [shape.runs[at] ?? ''];
  for (let next = start + 1; next < names.length; next += 1) {
    const split = splitRuns(names[next] ?? '');
    if (onlyDifference(shape, split) !== at) break;
    values.push(split.runs[at] ?? '');
    // Two ends are enough to see that nothing is missing between the last value and this one.
    const [range, further] = toRanges(values.slice(-2));
    if (further !== undefined || range?.count !== 2 || range.last !== values.at(-1)) break;
    length += 1;
  }
  return toRanges(values.slice(0, length)).length === 1 ? length : 1;
}

function onlyDifference(a: Split, b: Split): number | undefined {
  if (a.runs.length !== b.runs.length || a.texts.some((text, at) => text !== b.texts[at])) return undefined;
  let found: number | undefined;
  for (const [at, run] of a.runs.entries()) {
    if (run === b.runs[at]) continue;
    if (found !== undefined) return undefined;
    found = at;
  }
  return found;
}
