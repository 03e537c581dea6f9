/** What is known of a function of Ossie's expression language. */
export interface FunctionSignature {
  readonly kind: 'aggregate' | 'scalar';
  readonly least: number;
  /** Any number when left out. */
  readonly most?: number;
  /** It may count each value once: `SUM(DISTINCT …)`. */
  readonly takesDistinct?: true;
  /** It takes WITHIN GROUP (ORDER BY …), and nothing without it. */
  readonly isOrdered?: true;
  /** Its first argument is a unit of the calendar. */
  readonly takesUnit?: true;
  /**
   * How engines write it that say nothing of their own: `{0}`, `{1}` stand for the arguments, `{*}` for all of them.
   * Its own name with its arguments when left out.
   */
  readonly written?: string;
}

const scalar = (least: number, most?: number, written?: string): FunctionSignature => ({
  kind: 'scalar',
  least,
  ...(most !== undefined && { most }),
  ...(written !== undefined && { written }),
});
const aggregate = (written?: string): FunctionSignature => ({
  kind: 'aggregate',
  least: 1,
  most: 1,
  ...(written !== undefined && { written }),
});
const distinct: FunctionSignature = { ...aggregate(), takesDistinct: true };
const percentile = (name: string): FunctionSignature => ({
  ...aggregate(`${name}({0}) WITHIN GROUP (ORDER BY {1})`),
  isOrdered: true,
});

const CONDITION = 'CASE WHEN {0} THEN {1} ELSE {2} END';

/**
 * The functions that expressions may call, by name in upper case: Ossie's required language (core-spec,
 * expression_language.md), without window functions, and what semantic models write for the same. None of them writes,
 * waits, reaches out of the statement or gives another value each time. CURRENT_DATE is there, because "until today" is
 * part of what metrics mean; times finer than a day (NOW, CURRENT_TIMESTAMP) are not.
 */
export const FUNCTIONS: ReadonlyMap<string, FunctionSignature> = new Map<string, FunctionSignature>([
  ['COUNT', distinct],
  ['SUM', distinct],
  ['AVG', distinct],
  ['MIN', distinct],
  ['MAX', distinct],
  // Of a sample, as in most engines; MySQL's own STDDEV is that of a population.
  ['STDDEV', aggregate('STDDEV_SAMP({0})')],
  ['STDDEV_SAMP', aggregate()],
  ['STDDEV_POP', aggregate()],
  ['VARIANCE', aggregate('VAR_SAMP({0})')],
  ['VAR_SAMP', aggregate()],
  ['VAR_POP', aggregate()],
  ['MEDIAN', aggregate()],
  ['PERCENTILE_CONT', percentile('PERCENTILE_CONT')],
  ['PERCENTILE_DISC', percentile('PERCENTILE_DISC')],
  ['COUNT_IF', aggregate('COUNT(CASE WHEN {0} THEN 1 END)')],
  // The exact number is as near as an approximation can be.
  ['APPROX_COUNT_DISTINCT', aggregate('COUNT(DISTINCT {0})')],

  ['COALESCE', scalar(1)],
  ['NULLIF', scalar(2, 2)],
  ['NVL', scalar(2, 2, 'COALESCE({0}, {1})')],
  ['IFNULL', scalar(2, 2, 'COALESCE({0}, {1})')],
  ['ZEROIFNULL', scalar(1, 1, 'COALESCE({0}, 0)')],
  ['NULLIFZERO', scalar(1, 1, 'NULLIF({0}, 0)')],
  ['IFF', scalar(3, 3, CONDITION)],
  ['IIF', scalar(3, 3, CONDITION)],
  ['IF', scalar(3, 3, CONDITION)],
  // NULL where one of them is; two arguments, because engines differ in what they do with more.
  ['GREATEST', scalar(2, 2)],
  ['LEAST', scalar(2, 2)],

  ['ABS', scalar(1, 1)],
  ['CEIL', scalar(1, 1)],
  ['CEILING', scalar(1, 1, 'CEIL({0})')],
  ['FLOOR', scalar(1, 1)],
  ['ROUND', scalar(1, 2)],
  ['SIGN', scalar(1, 1)],
  ['SQRT', scalar(1, 1)],
  ['EXP', scalar(1, 1)],
  ['LN', scalar(1, 1)],
  ['LOG10', scalar(1, 1)],
  ['POWER', scalar(2, 2)],
  ['MOD', scalar(2, 2)],

  ['LOWER', scalar(1, 1)],
  ['UPPER', scalar(1, 1)],
  ['TRIM', scalar(1, 1)],
  ['LTRIM', scalar(1, 1)],
  ['RTRIM', scalar(1, 1)],
  ['LENGTH', scalar(1, 1)],
  ['CHAR_LENGTH', scalar(1, 1, 'LENGTH({0})')],
  ['SUBSTRING', scalar(2, 3, 'SUBSTR({*})')],
  ['SUBSTR', scalar(2, 3)],
  ['LEFT', scalar(2, 2)],
  ['RIGHT', scalar(2, 2)],
  ['REPLACE', scalar(3, 3)],
  // NULL where one of them is, as of `||`.
  ['CONCAT', scalar(2)],
  ['SPLIT_PART', scalar(3, 3)],
  // True where the pattern is found anywhere in the text.
  ['REGEXP_LIKE', scalar(2, 2)],

  ['CURRENT_DATE', scalar(0, 0, 'CURRENT_DATE')],
  ['DATE_TRUNC', { ...scalar(2, 2), takesUnit: true }],
  ['DATEADD', { ...scalar(3, 3), takesUnit: true }],
  ['DATEDIFF', { ...scalar(3, 3), takesUnit: true }],
]);

/** Parts of a date and of a time, as EXTRACT names them; each is a function of its own, too: `YEAR(d)`. */
export const TIME_PARTS: ReadonlySet<string> = new Set([
  'YEAR',
  'QUARTER',
  'MONTH',
  'WEEK',
  'DAY',
  'DAYOFWEEK',
  'DAYOFYEAR',
  'HOUR',
  'MINUTE',
  'SECOND',
]);

/** Other names of parts. */
const PART_NAMES: Readonly<Record<string, string>> = { DOW: 'DAYOFWEEK', DOY: 'DAYOFYEAR', DAYOFMONTH: 'DAY' };

/** The part that a word stands for, in upper case and singular; undefined for none. */
export function timePart(word: string): string | undefined {
  const upper = word.toUpperCase();
  const part = PART_NAMES[upper] ?? (TIME_PARTS.has(upper) ? upper : upper.replace(/S$/, ''));
  return TIME_PARTS.has(part) ? part : undefined;
}
