import type { PairedQuestion, RunComparison } from '../../compare/run-comparison.ts';
import * as table from '../figures/comparison-tables.ts';
import { headlineOf, significanceOf } from '../figures/comparison-verdict.ts';
import { count } from '../figures/format-numbers.ts';
import { verdictName } from '../figures/run-tables.ts';
import { type Block, heading, list, paragraph, tables } from './document.ts';
import { MOST_LISTED } from './run-blocks.ts';

/** Two runs side by side, for text and Markdown. */
export function comparisonBlocks(comparison: RunComparison, title?: string): readonly Block[] {
  const { a, b } = table.sideNames(comparison);
  return [
    heading(1, title ?? `${b} against ${a}`),
    paragraph(`${headlineOf(comparison)} ${significanceOf(comparison)}`),
    ...list(comparison.remarks),
    ...tables(
      table.sideTable(comparison),
      table.pairedGroupTable('By difficulty', 'difficulty', comparison.byDifficulty, comparison),
      table.pairedGroupTable('By category', 'category', comparison.byCategory, comparison),
      table.verdictTable(comparison),
      table.costTable(comparison),
      table.pairedMetricTable(comparison, comparison.metrics),
    ),
    ...questionBlocks(`Lost: right in ${a} only`, comparison.lost),
    ...questionBlocks(`Gained: right in ${b} only`, comparison.gained),
    ...questionBlocks('Gold that gave other results', comparison.drifted),
    ...questionBlocks('Other questions or gold SQL under the same id', comparison.rewritten),
    ...idBlocks(`Only in ${a}`, comparison.onlyA),
    ...idBlocks(`Only in ${b}`, comparison.onlyB),
    ...tables(table.configurationTable(comparison)),
  ];
}

function questionBlocks(title: string, pairs: readonly PairedQuestion[]): readonly Block[] {
  if (pairs.length === 0) return [];
  const items = pairs.slice(0, MOST_LISTED).map(({ id, a, b }) => {
    const reason = [a, b].find((side) => side.verdict !== 'right')?.reason;
    const moved =
      a.verdict === b.verdict ? verdictName(a.verdict) : `${verdictName(a.verdict)} → ${verdictName(b.verdict)}`;
    return `${id} (${moved}, ${b.difficulty}): ${b.question}${reason === undefined ? '' : ` [${reason}]`}`;
  });
  return [heading(2, `${title} (${count(pairs.length)})`), ...list(withRest(items, pairs.length))];
}

function idBlocks(title: string, ids: readonly string[]): readonly Block[] {
  if (ids.length === 0) return [];
  const rest = ids.length - MOST_LISTED;
  const text = ids.slice(0, MOST_LISTED).join(', ');
  return [
    heading(2, `${title} (${count(ids.length)})`),
    paragraph(rest > 0 ? `${text}, and ${count(rest)} more` : text),
  ];
}

function withRest(items: readonly string[], all: number): readonly string[] {
  return all > items.length ? [...items, `and ${count(all - items.length)} more`] : items;
}
