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
 * True for digits that belong to a word (`HG19`, `1YR`, `CHR1`, `v2`): they tell what kind of thing it is. Digits that
 * stand alone between separators, and years and dates, tell which one of a series.
 */
function isTypeToken({ texts, runs }: Split, at: number): boolean {
  const isGlued = /\p{L}$/u.test(texts[at] ?? '') || /^\p{L}/u.test(texts[at + 1] ?? '');
  return isGlued && !isCalendar(runs[at] ?? '');
}

/**
 * The name with `*` for its numbers and dates: relations of one series (`events_20240101`, `events_20240102`) have the
 * same pattern. Digits that belong to a word stay.
 */
export function namePattern(name: string): string {
  const split = splitRuns(name);
  if (split.runs.length > MAX_RUNS) return name;
  return split.texts
    .map((text, at) => text + (at < split.runs.length ? (isTypeToken(split, at) ? split.runs[at] : '*') : ''))
    .join('');
}

/**
 * Names as a list of patterns that stand for exactly these names: `GA_SESSIONS_{20160801..20170801}`. Several ranges in
 * one pattern stand for all their combinations. Order: that of the first name of each pattern.
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
 * The number of names from the beginning of a list that one range can stand for: they differ in one run of digits,
 * which goes up by one. 1 when there is no such range.
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

/** What a run of digits counts: days (`20160801`), months (`201608`) or numbers. */
type NumberKind = 'day' | 'month' | 'number';

/** Longer runs of digits are listed, never counted. */
const MAX_DIGITS = 15;

/** A range as it is written: `7`, or `20160801..20170801`. */
interface NumberRange {
  readonly first: string;
  readonly last: string;
  readonly count: number;
}

/**
 * Eight digits that are a date between 1900 and 2099 count in days, six that are a year and a month in months, all
 * others by one.
 */
function numberKind(digits: string): NumberKind {
  if (!/^(?:19|20)\d{4}(?:\d\d)?$/.test(digits)) return 'number';
  const month = Number(digits.slice(4, 6));
  if (month < 1 || month > 12) return 'number';
  if (digits.length === 6) return 'month';
  const day = Number(digits.slice(6));
  return day >= 1 && day <= daysOfMonth(Number(digits.slice(0, 4)), month) ? 'day' : 'number';
}

/** True for a run of digits that can be a year, a month or a day of a calendar. */
function isCalendar(digits: string): boolean {
  return /^(?:19|20)\d\d$/.test(digits) || numberKind(digits) !== 'number';
}

/** What follows a run of digits; undefined where counting ends. */
function nextDigits(digits: string): string | undefined {
  if (digits.length > MAX_DIGITS) return undefined;
  const kind = numberKind(digits);
  if (kind === 'number') return String(Number(digits) + 1).padStart(digits.length, '0');
  const year = Number(digits.slice(0, 4));
  const month = Number(digits.slice(4, 6));
  const day = kind === 'day' ? Number(digits.slice(6)) : 0;
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  if (kind === 'day' && day < daysOfMonth(year, month)) return `${digits.slice(0, 6)}${twoDigits(day + 1)}`;
  const following = month === 12 ? `${year + 1}01` : `${year}${twoDigits(month + 1)}`;
  return kind === 'day' ? `${following}01` : following;
}

function daysOfMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/**
 * Distinct runs of digits as ranges without gaps, in ascending order. Runs of one range have one kind, and one width
 * unless none has a leading zero, so that the ends alone say what lies between.
 */
function toRanges(values: readonly string[]): NumberRange[] {
  const sorted = [...new Set(values)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const isPadded = sorted.some((value) => value.length > 1 && value.startsWith('0'));
  const ranges: { first: string; last: string; count: number }[] = [];
  for (const value of sorted) {
    const current = ranges.at(-1);
    const isNext =
      current !== undefined &&
      nextDigits(current.last) === value &&
      numberKind(current.first) === numberKind(value) &&
      (!isPadded || current.first.length === value.length);
    if (isNext) {
      current.last = value;
      current.count += 1;
    } else ranges.push({ first: value, last: value, count: 1 });
  }
  return ranges;
}

/** Ranges as text: `20160801..20170801,20170803`. A range of two is a list of two. */
function writeRanges(ranges: readonly NumberRange[]): string {
  return ranges
    .map(({ first, last, count }) => (count === 1 ? first : `${first}${count === 2 ? ',' : '..'}${last}`))
    .join(',');
}
