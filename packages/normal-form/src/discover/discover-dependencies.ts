import { systemRuntime } from '@askema/core';
import { type CodedColumn, type CodedRows, NULL_CODE } from './coded-rows.ts';
import {
  type ColumnReason,
  DISCOVERY_DEFAULTS,
  type DiscoveredDependencies,
  type DiscoveredDependency,
  type DiscoveryOptions,
} from './discovery.ts';
import {
  counterExample,
  createViolationCounter,
  type Partition,
  partitionOf,
  refine,
  repeatsOf,
  repeatsWithoutLargest,
  type ViolationCounter,
} from './partition.ts';
import { takeTurns } from './take-turns.ts';

/**
 * The functional dependencies that hold in rows, or nearly: minimal left sides of one or two columns, with the g3 error
 * of each. As in TANE, a left side is a partition of the rows, and that of two columns refines that of one.
 *
 * NULL: a row with a NULL on the left says nothing and does not count. On the right NULL is a value, equal to NULL.
 *
 * Not reported, because rows cannot tell or need not: what follows from `keys`; right sides with one value, or nearly;
 * sides without a value; what too few rows repeat (`minEvidence`), which leaves out columns that are unique in the
 * rows; what is hardly better than an accident (`maxChance`).
 *
 * Time is linear in the rows for each candidate and mostly much less: a candidate is given up at the first rows that
 * break it. The event loop gets a turn now and then. Without the time limit the outcome is the same everywhere.
 *
 * Rejects with `ABORTED`.
 */
export async function discoverDependencies(
  rows: CodedRows,
  options: DiscoveryOptions = {},
): Promise<DiscoveredDependencies> {
  const clock = options.clock ?? systemRuntime().clock;
  return takeTurns(search(rows, options), {
    clock,
    deadline: clock.now() + (options.timeoutMs ?? DISCOVERY_DEFAULTS.timeoutMs),
    signal: options.signal,
    what: 'Looking for functional dependencies',
  });
}

interface Search {
  readonly rows: CodedRows;
  readonly options: DiscoveryOptions;
  readonly counter: ViolationCounter;
  /** For each column: the chance that two rows disagree in it. */
  readonly disagreement: readonly number[];
  /** Columns that can stand on the right. */
  readonly rights: readonly number[];
  /** By `left * columns + right`: determined well enough, with evidence or without. */
  readonly determined: Uint8Array;
  /** By `left * columns + right`: the share of the repeats of `left` that breaks it. */
  readonly brokenShare: Float64Array;
  readonly found: DiscoveredDependency[];
}

function* search(rows: CodedRows, options: DiscoveryOptions): Generator<void, DiscoveredDependencies, boolean> {
  const count = rows.columns.length;
  const reasons = rows.columns.map((column) => reasonOf(column, rows.rowCount, options));
  const sides = rows.columns.flatMap(({ distinctCount }, at) => (distinctCount > 1 ? [at] : []));
  const state: Search = {
    rows,
    options,
    counter: createViolationCounter(Math.max(0, ...rows.columns.map(({ distinctCount }) => distinctCount))),
    disagreement: rows.columns.map((column) => disagreementOf(column, rows.rowCount)),
    rights: rows.columns.flatMap((_, at) => (reasons[at] === undefined || reasons[at] === 'unique' ? [at] : [])),
    determined: new Uint8Array(count * count),
    brokenShare: new Float64Array(count * count),
    found: [],
  };
  const isPaired = (options.maxLeft ?? DISCOVERY_DEFAULTS.maxLeft) === 2;
  const lefts = [
    ...sides.map((first) => [first] as const),
    ...(isPaired ? sides.flatMap((first, at) => sides.slice(at + 1).map((second) => [first, second] as const)) : []),
  ];
  const maxSteps = options.maxSteps ?? DISCOVERY_DEFAULTS.maxSteps;
  let refined = 0;
  let lookedAt = 0;
  let base: { readonly first: number; readonly partition: Partition } | undefined;
  for (const left of lefts) {
    const isOver: boolean = yield;
    if (isOver || refined + state.counter.read > maxSteps) break;
    const [first, second] = left;
    if (base?.first !== first) {
      base = { first, partition: partitionOf(columnAt(rows, first)) };
      refined += rows.rowCount;
    }
    if (!holdsKey(left, options.keys ?? [])) {
      const isWorth = second === undefined || hasEvidence(state, base.partition);
      if (isWorth) {
        const partition = second === undefined ? base.partition : refine(base.partition, columnAt(rows, second));
        refined += second === undefined ? 0 : base.partition.rows.length;
        if (!(yield* lookAt(state, left, partition, maxSteps - refined))) break;
      }
    }
    lookedAt += 1;
  }
  return {
    dependencies: state.found,
    complete: lookedAt === lefts.length,
    lookedAt,
    candidates: lefts.length,
    leftOut: reasons.flatMap((reason, column) => (reason === undefined ? [] : [{ column, reason }])),
  };
}

/**
 * Looks at every right side of one left side; false when time or steps ran out before its end, and nothing of it is
 * kept then.
 */
function* lookAt(
  state: Search,
  left: readonly number[],
  partition: Partition,
  maxSteps: number,
): Generator<void, boolean, boolean> {
  const { rows, options, counter, rights, determined } = state;
  const count = rows.columns.length;
  const filled = filledRows(rows, left);
  const limit = Math.floor(filled * (options.maxError ?? DISCOVERY_DEFAULTS.maxError));
  const repeats = repeatsOf(partition);
  const evidence = repeatsWithoutLargest(partition);
  const found: DiscoveredDependency[] = [];
  for (const right of rights) {
    if (left.includes(right) || left.some((each) => determined[each * count + right] === 1)) continue;
    const expectedViolations = evidence * accidentShare(state, left, right);
    // Of two columns nothing further is built, so that what will not be reported need not be known.
    if (left.length > 1 && !isEnough(expectedViolations, options)) continue;
    const column = columnAt(rows, right);
    const violations = counter.count(partition, column, left.length === 1 ? filled : limit);
    const isOver: boolean = yield;
    if (isOver || counter.read > maxSteps) return false;
    if (left.length === 1) {
      const place = (left[0] ?? 0) * count + right;
      state.brokenShare[place] = repeats === 0 ? 0 : violations / repeats;
      determined[place] = violations > limit ? 0 : 1;
    }
    if (violations > limit) continue;
    if (!isEnough(expectedViolations, options) || repeats === 0) continue;
    if (violations > expectedViolations * (options.maxChance ?? DISCOVERY_DEFAULTS.maxChance)) continue;
    found.push({
      left,
      right,
      violations,
      rows: filled,
      g3: violations / filled,
      distinctLeft: filled - repeats,
      expectedViolations,
      counterExample: violations === 0 ? undefined : counterExample(partition, column),
    });
  }
  state.found.push(...found);
  return true;
}

/**
 * The share of repeats that would break a dependency by accident: that two rows disagree on the right; of two columns
 * on the left no more than one of them leaves broken, as a second column that has nothing to do with it mostly splits
 * the groups until few disagree.
 */
function accidentShare({ disagreement, brokenShare, rows }: Search, left: readonly number[], right: number): number {
  const chance = disagreement[right] ?? 0;
  if (left.length === 1) return chance;
  return Math.min(chance, ...left.map((each) => brokenShare[each * rows.columns.length + right] ?? 0));
}

function isEnough(expected: number, { minEvidence = DISCOVERY_DEFAULTS.minEvidence }: DiscoveryOptions): boolean {
  return expected >= minEvidence;
}

/** Refining a partition never adds repeats, but the largest group may fall apart. */
function hasEvidence({ disagreement, options }: Search, partition: Partition): boolean {
  return isEnough(repeatsOf(partition) * Math.max(0, ...disagreement), options);
}

function columnAt({ columns }: CodedRows, at: number): CodedColumn {
  return columns[at] ?? { codes: new Int32Array(), distinctCount: 0, nullCount: 0 };
}

function holdsKey(left: readonly number[], keys: readonly (readonly number[])[]): boolean {
  return keys.some((key) => key.length > 0 && key.every((column) => left.includes(column)));
}

function filledRows(rows: CodedRows, left: readonly number[]): number {
  const [first, second] = left.map((at) => columnAt(rows, at)).filter(({ nullCount }) => nullCount > 0);
  if (first === undefined) return rows.rowCount;
  if (second === undefined) return rows.rowCount - first.nullCount;
  let filled = 0;
  for (let row = 0; row < rows.rowCount; row += 1)
    if (first.codes[row] !== NULL_CODE && second.codes[row] !== NULL_CODE) filled += 1;
  return filled;
}

/** Two rows drawn at random disagree with this chance; NULL counts as a value. */
function disagreementOf(column: CodedColumn, rowCount: number): number {
  if (rowCount === 0) return 0;
  let agreement = 0;
  for (const count of countsOf(column)) agreement += (count / rowCount) ** 2;
  return 1 - agreement;
}

function reasonOf(column: CodedColumn, rowCount: number, options: DiscoveryOptions): ColumnReason | undefined {
  if (column.distinctCount === 0) return 'empty';
  const most = countsOf(column).reduce((greatest, count) => Math.max(greatest, count), 0);
  if (rowCount - most <= Math.floor(rowCount * (options.maxError ?? DISCOVERY_DEFAULTS.maxError))) return 'constant';
  return column.distinctCount + column.nullCount === rowCount ? 'unique' : undefined;
}

/** How many rows have each value; NULL last. */
function countsOf({ codes, distinctCount, nullCount }: CodedColumn): Int32Array {
  const counts = new Int32Array(distinctCount + 1);
  for (const code of codes) if (code !== NULL_CODE) counts[code] = (counts[code] ?? 0) + 1;
  counts[distinctCount] = nullCount;
  return counts;
}
