interface Point {
  readonly x: number;
  readonly y: number;
}

/** Of a column of pixels, by their places among the points. */
interface Column {
  first: number;
  low: number;
  high: number;
  last: number;
}

/**
 * As many points as a picture can show: of each column of pixels the first, the lowest, the highest and the last, so
 * that no peak is lost (the M4 aggregation: Jugel et al., VLDB 2014). `points` are in the order of x, either way.
 */
export function thinned<T>(points: readonly T[], toX: (point: T) => number, toY: (point: T) => number): Point[] {
  const kept: Point[] = [];
  const keep = ({ first, low, high, last }: Column): void => {
    // Up to four are kept as they are.
    const wanted = last - first < 4 ? between(first, last) : [...new Set([first, low, high, last])];
    for (const at of wanted.sort((a, b) => a - b)) {
      const point = points[at] as T;
      kept.push({ x: toX(point), y: toY(point) });
    }
  };
  let column: Column | undefined;
  let [pixel, lowest, highest] = [0, 0, 0];
  for (const [at, point] of points.entries()) {
    const [own, y] = [Math.floor(toX(point)), toY(point)];
    if (column === undefined || own !== pixel) {
      if (column !== undefined) keep(column);
      [column, pixel, lowest, highest] = [{ first: at, low: at, high: at, last: at }, own, y, y];
      continue;
    }
    column.last = at;
    if (y < lowest) [column.low, lowest] = [at, y];
    if (y > highest) [column.high, highest] = [at, y];
  }
  if (column !== undefined) keep(column);
  return kept;
}

const between = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
