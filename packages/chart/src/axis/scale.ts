import { ticks } from 'd3-array';
import { utcTicks } from 'd3-time';

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  /** The distance between two ticks. */
  readonly step: number;
  /** From 0 at `low` to 1 at `high`. */
  of(value: number): number;
}

const MOST_TICKS = 30;
/** The steps between nearer floats have no reciprocal that is finite. */
const LEAST_DISTANCE = 1e-280;
/** Of their size; the steps between nearer numbers are noise of the binary form. */
const LEAST_SHARE = 1e-12;

/** Round numbers from `low` to `high`; none where both are next to each other. */
function roundNumbers(low: number, high: number, wanted: number): readonly number[] {
  const least = Math.max(LEAST_DISTANCE, LEAST_SHARE * Math.max(Math.abs(low), Math.abs(high)));
  return high - low < least ? [] : ticks(low, high, wanted).slice(0, MOST_TICKS);
}

/** An axis of numbers from a round number to a round number. `withZero` for whatever is read as a length. */
export function numberScale(values: Iterable<number>, withZero: boolean, wantedTicks: number): Scale {
  let [low, high] = withZero ? [0, 0] : [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let isWhole = true;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    isWhole &&= Number.isInteger(value);
  }
  if (low > high) [low, high] = [0, 1];
  // Small differences may be looked at closely; all others are shown against zero.
  if (!withZero && low > 0 && high - low > 0.25 * high) low = 0;
  if (!withZero && high < 0 && high - low > 0.25 * -low) high = 0;
  if (low === high) [low, high] = low === 0 ? [0, 1] : low > 0 ? [0, high] : [low, 0];
  // There is no half of an order.
  return rounded(low, high, isWhole && high - low < wantedTicks ? high - low : wantedTicks);
}

function rounded(low: number, high: number, wanted: number): Scale {
  // The distance of the largest floats is infinite: no steps fit between them.
  if (!Number.isFinite(high - low)) return scale(low, high, [low, 0, high], high);
  const inner = roundNumbers(low, high, wanted);
  const [first, second] = inner;
  const step = first === undefined || second === undefined ? high - low : second - first;
  const before = first !== undefined && first > low ? first - step : low;
  const last = inner.at(-1);
  const after = last !== undefined && last < high ? last + step : high;
  const start = Number.isFinite(before) ? Math.min(before, low) : low;
  const end = Number.isFinite(after) ? Math.max(after, high) : high;
  const all = roundNumbers(start, end, wanted);
  return scale(start, end, all.length > 1 ? all : [start, end], step);
}

/** An axis along which things happen: from the first to the last, not rounded. */
export function placeScale(values: Iterable<number>, kind: 'time' | 'number', wantedTicks: number): Scale {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) [low, high] = [0, 1];
  if (low === high) return { ...scale(low, high, [low], 1), of: () => 0.5 };
  if (!Number.isFinite(high - low)) return scale(low, high, [low, high], high);
  const at =
    kind === 'time'
      ? utcTicks(new Date(low), new Date(high), wantedTicks).map(Number)
      : roundNumbers(low, high, wantedTicks);
  const shown = at.slice(0, MOST_TICKS);
  const [first = low, second = high] = shown;
  return scale(low, high, shown.length === 0 ? [low, high] : shown, second - first);
}

function scale(low: number, high: number, shown: readonly number[], step: number): Scale {
  // Halves where the whole distance is infinite; of the least floats there are none.
  const part = Number.isFinite(high - low) ? 1 : 0.5;
  const distance = high * part - low * part;
  const of = (value: number): number => (high === low ? 0.5 : (value * part - low * part) / distance);
  return { low, high, ticks: shown, step: Math.abs(step), of };
}
