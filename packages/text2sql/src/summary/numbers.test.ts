import type { ResultColumn, Row } from '@askema/core';
import fc from 'fast-check';
import { it } from 'vitest';
import { writeSummary } from './write-summary.ts';

const column = (name: string, type: ResultColumn['type']): ResultColumn => ({ name, nativeType: '', type });
const columns = [column('n', 'NUMERIC'), column('t', 'TEXT')];
const rows: readonly Row[] = [
  [12, '000'],
  [345, 'Italy'],
];
const QUESTION = 'How many of the top 10 in 2023?';
/** What may stand in a text; others only where a person reads other numbers. */
const KNOWN = new Set(['12', '000', '345', '10', '2023', '2', '333', '-333', '28.8', '2775.0%']);
/** Cells may be shares. */
for (const cell of ['12', '000', '345']) for (const sign of '%‰٪') KNOWN.add(`${cell}${sign}`);

const PIECES = [
  ...['[[1:1:1]]', '[[1:2:1]]', '[[1:1:2]]', '[[1:2:2]]', '[[rows 1]]'],
  ...['[[1:2:1 - 1:1:1]]', '[[1:1:1 - 1:2:1]]', '[[1:2:1 / 1:1:1]]', '[[1:2:1 % 1:1:1]]'],
  ...['10', '2023', ' 10 ', ' in 2023 ', ' orders ', ' ', ' ', '', '.', ',', "'", '’', '·', '٫', '_', '^', '\u034f'],
  ...['\u0301', '-', '−', '－', '⁻', '+', '%', '‰', '٪', '\u00a0', '\u202f', ' and ', 'Italy'],
];
/** A number as a person reads it: with its sign, its points and its groups. */
const READ =
  /(?<![\p{L}\p{N}\])])[\p{Pd}⁻−%]?(?:(?<!\p{N})\p{N}{1,3}(?:\s\p{N}{3}(?!\p{N}))+|\p{N}+)(?:[.,'’·٫_^\p{M}]?\p{N}+)*[%‰٪]?|\p{N}+/gu;

it('whatever is taken has no number but those of cells, of marks and of the question', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }), (pieces) => {
      const { summary } = writeSummary(pieces.join(''), [{ result: { columns, rows }, shown: 2 }], [QUESTION]);
      const other = [...(summary?.text ?? '').matchAll(READ)].find(([number]) => !KNOWN.has(number));
      if (other !== undefined) throw new Error(`"${other[0]}" in "${summary?.text}"`);
    }),
    { numRuns: 5_000 },
  );
});
