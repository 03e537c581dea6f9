import { createHash } from 'node:crypto';
import { type ComparableResult, comparedCell } from '@askema/core';

/** Digits of a fraction that the hash holds: the last ones depend on the order of sums. */
const DIGITS = 10;

/**
 * The SHA-256 of the rows of a result, in hexadecimal, as `expected.rows` of a verified query holds it: whatever the
 * order of the rows, and in whatever form an engine gives a number.
 */
export function resultHash({ columns, rows }: ComparableResult): string {
  const texts = rows.map((row) => JSON.stringify(columns.map(({ type }, at) => cellText(row[at] ?? null, type))));
  return createHash('sha256').update(texts.sort().join('\n')).digest('hex');
}

function cellText(...cell: Parameters<typeof comparedCell>): string {
  const compared = comparedCell(...cell);
  if (compared.kind === 'other') return compared.key;
  return `number:${compared.whole ?? Number(compared.approximate.toPrecision(DIGITS))}`;
}
