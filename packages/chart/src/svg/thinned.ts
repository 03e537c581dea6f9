interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * As many points as a picture can show: of each column of pixels the first, the lowest, the highest and the last, so
 * that no peak is lost (the M4 aggregation: Jugel et al., VLDB 2014). `points` are in the order of x, either way.
 */
export function thinned(points: readonly Point[]): readonly Point[] {
  const kept: Point[] = [];
  let column: Point[] = [];
  for (const point of points) {
    if (column[0] !== undefined && Math.floor(column[0].x) !== Math.floor(point.x)) {
      kept.push(...extremes(column));
      column = [];
    }
    column.push(point);
  }
  kept.push(...extremes(column));
  return kept;
}

function extremes(column: readonly Point[]): readonly Point[] {
  if (column.length <= 4) return column;
  let [low, high] = [0, 0];
  for (const [at, { y }] of column.entries()) {
    if (y < (column[low]?.y ?? 0)) low = at;
    if (y > (column[high]?.y ?? 0)) high = at;
  }
  const wanted = [...new Set([0, low, high, column.length - 1])].sort((a, b) => a - b);
  return wanted.map((at) => column[at]).filter((point) => point !== undefined);
}
