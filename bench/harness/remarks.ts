import { growthOf, showNumber } from './render.ts';
import type { ComparisonResult, ComparisonRow, TableResult } from './result.ts';

/** Time may grow so much faster than n log n before it is called worse: neighbouring sizes are never measured alike. */
const TOLERANCE = 1.25;
/** So much slower than the peer counts as slower. */
const SLOWER = 1.05;

/**
 * What of ours was slower than the peer, and what grew worse than n log n: each wants to be mended, or explained in the
 * notes.
 */
export function remarksOn(part: ComparisonResult | TableResult): readonly string[] {
  if (part.kind === 'table') return part.remarks ?? [];
  return part.rows
    .filter(({ own, measured }) => own && measured !== undefined)
    .flatMap((row) => remarksOnRow(part, row));
}

function remarksOnRow(part: ComparisonResult, row: ComparisonRow): readonly string[] {
  const median = row.measured?.medianMs ?? Number.NaN;
  const peer = part.rows.find(({ contender, size }) => contender === part.peer && size === row.size)?.measured
    ?.medianMs;
  const at = `${part.title}, ${row.contender}, ${row.size.toLocaleString('en')} ${part.sizeName}`;
  const slower = peer === undefined ? undefined : remarkOnPeer(at, median, peer, part.peer);
  const exponent = part.grows ? growthOf(part, row) : undefined;
  const smaller = part.rows.filter(({ contender, size }) => contender === row.contender && size < row.size).at(-1);
  const grew =
    exponent === undefined || smaller === undefined ? undefined : remarkOnGrowth(at, exponent, smaller.size, row.size);
  return [slower, grew].filter((remark) => remark !== undefined);
}

/** `at: grew as n^1.52, which is worse than n log n.`, where it did. */
export function remarkOnGrowth(at: string, exponent: number, from: number, to: number): string | undefined {
  const allowed = (nLogN(to) / nLogN(from)) * TOLERANCE;
  return (to / from) ** exponent > allowed
    ? `${at}: grew as n^${exponent.toFixed(2)}, which is worse than n log n.`
    : undefined;
}

/** `at: 3 times the time of minisearch.`, where it is. */
export function remarkOnPeer(at: string, ours: number, peer: number, name: string): string | undefined {
  return ours > peer * SLOWER ? `${at}: ${showNumber(ours / peer)} times the time of ${name}.` : undefined;
}

const nLogN = (size: number): number => size * Math.log2(Math.max(2, size));
