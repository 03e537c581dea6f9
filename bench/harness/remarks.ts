import { growthOf, showNumber } from './render.ts';
import type { ComparisonResult, ComparisonRow } from './result.ts';

/** Time may grow so much faster than n log n before it is called worse: neighbouring sizes are never measured alike. */
const TOLERANCE = 1.25;
/** So much slower than the peer counts as slower. */
const SLOWER = 1.05;

/** What of ours was slower than the peer, and what grew worse than n log n: each wants to be mended, or explained in the notes. */
export function remarksOn(part: ComparisonResult): readonly string[] {
  return part.rows
    .filter(({ own, measured }) => own && measured !== undefined)
    .flatMap((row) => remarksOnRow(part, row));
}

function remarksOnRow(part: ComparisonResult, row: ComparisonRow): readonly string[] {
  const median = row.measured?.medianMs ?? Number.NaN;
  const peer = part.rows.find(({ contender, size }) => contender === part.peer && size === row.size)?.measured
    ?.medianMs;
  const at = `${part.title}, ${row.contender}, ${row.size.toLocaleString('en')} ${part.sizeName}`;
  const remarks: string[] = [];
  if (peer !== undefined && median > peer * SLOWER)
    remarks.push(`${at}: ${showNumber(median / peer)} times the time of ${part.peer}.`);
  const exponent = part.grows ? growthOf(part, row) : undefined;
  const smaller = part.rows.filter(({ contender, size }) => contender === row.contender && size < row.size).at(-1);
  if (exponent === undefined || smaller === undefined) return remarks;
  const allowed = (nLogN(row.size) / nLogN(smaller.size)) * TOLERANCE;
  if ((row.size / smaller.size) ** exponent > allowed)
    remarks.push(`${at}: grew as n^${exponent.toFixed(2)}, which is worse than n log n.`);
  return remarks;
}

const nLogN = (size: number): number => size * Math.log2(Math.max(2, size));
