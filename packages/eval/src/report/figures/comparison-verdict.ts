import type { RunComparison } from '../../compare/run-comparison.ts';
import { sideNames } from './comparison-tables.ts';
import { count, counted, percent, points, pointsRange, pValue } from './format-numbers.ts';
import { levelTitle } from './run-tables.ts';

/** The comparison in a sentence: who is ahead, by how much. */
export function headlineOf(comparison: RunComparison): string {
  const { total } = comparison;
  const { a, b } = sideNames(comparison);
  if (total.questions === 0) return 'The runs have no question in common that counts.';
  const sides = `${percent(total.accuracyA.value)} to ${percent(total.accuracyB.value)} of ${count(total.questions)} that both were asked`;
  const more = total.gained - total.lost;
  if (more === 0) return `${b} and ${a} are right on the same number of questions: ${sides}.`;
  const amount = `${count(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} ${Math.abs(more) === 1 ? 'question' : 'questions'}`;
  return `${b} is right on ${amount} than ${a}: ${sides}.`;
}

/** Whether the difference is more than chance, with the numbers that say so. */
export function significanceOf({ total, options, drifted }: RunComparison): string {
  if (total.questions === 0) return '';
  const changed = total.gained + total.lost;
  if (changed === 0) return 'No question changed sides.';
  const alpha = 1 - options.level;
  const found = `${counted(changed, 'question')} changed sides, ${count(total.gained)} gained and ${count(total.lost)} lost: ${points(total.difference.value)} points, ${levelTitle(options.level)} ${pointsRange(total.difference)}, exact McNemar p ${total.pValue < 0.001 ? '' : '= '}${pValue(total.pValue)}.`;
  const verdict =
    total.pValue < alpha
      ? 'That is more than chance explains.'
      : 'That may be chance: as uneven a split is not rare where both are equally good.';
  const doubt =
    drifted.length === 0
      ? ''
      : ` The gold of ${counted(drifted.length, 'question')} gave other results in the second run.`;
  return `${found} ${verdict}${doubt}`;
}
