import type { Value } from '@askema/core';
import type { Numeric } from '../facts/numeric.ts';

/** A point of a line, or a dot. Of a million few are named: their labels are made of `cell` where they are needed. */
export interface ChartPoint {
  /** Where it stands along the axis. */
  readonly at: number;
  /** Of the column along that axis. */
  readonly cell: Value;
  readonly value: Numeric;
  /** By position among the series. */
  readonly series: number;
}

/** Piece by piece. A million points that are one piece are not copied. */
export function pointsOf(pieces: readonly (readonly ChartPoint[])[]): readonly ChartPoint[] {
  const [only = []] = pieces;
  return pieces.length > 1 ? pieces.flat() : only;
}
