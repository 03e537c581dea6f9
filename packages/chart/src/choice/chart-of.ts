import type { QueryResult } from '@askema/core';
import { type ChartSpec, drawnColumns } from '../spec/chart-spec.ts';
import type { ChartChoice, Proposal } from './chart-choice.ts';
import { type ChartOptions, type ChoiceFacts, choiceFacts } from './choice-facts.ts';
import { columnNames } from './column-names.ts';
import { CHART_RULES } from './rules.ts';

/**
 * How a result is shown: as a chart, a number, or a table first. The rules stand in `CHART_RULES`; the first that
 * decides, decides. With `shape` the query tells what is grouped, computed and sorted, with `catalog` what is a key;
 * without them names and values tell less, and fewer charts come first.
 *
 * A chart that would leave out a column, a row or a value is never first: it is offered, and `reason` says what is
 * missing (the rules `rows-cut`, `column-left-out`, `row-left-out`).
 */
export function chartOf(
  result: Pick<QueryResult, 'columns' | 'rows' | 'truncated'>,
  options: ChartOptions = {},
): ChartChoice {
  const facts = choiceFacts(result, options);
  for (const { id, propose } of CHART_RULES) {
    const proposal = propose(facts);
    if (proposal !== undefined) return guarded(id, proposal, facts, result.truncated);
  }
  return { first: 'table', offered: [], rule: 'numbers-only', reason: 'No rule offers a chart.' };
}

function guarded(id: string, proposal: Proposal, facts: ChoiceFacts, truncated: QueryResult['truncated']): ChartChoice {
  const { offered } = proposal;
  const [spec] = offered;
  if (spec === undefined) return { first: 'table', offered, rule: id, reason: proposal.reason };
  if (proposal.first === 'number' && truncated === undefined) return { ...proposal, spec, rule: id };
  const losses = [
    {
      rule: 'rows-cut',
      loss: truncated === undefined ? '' : 'rows were cut off, so that it shows a part of the result',
    },
    { rule: 'column-left-out', loss: columnsLeftOut(spec, facts) },
    { rule: 'row-left-out', loss: rowsLeftOut(spec, facts) },
  ].filter(({ loss }) => loss !== '');
  const [first] = losses;
  if (first === undefined)
    return proposal.first === 'table'
      ? { first: 'table', offered, rule: id, reason: proposal.reason }
      : { ...proposal, spec, rule: id };
  const reason = `${proposal.reason} Of the chart: ${losses.map(({ loss }) => loss).join('; ')}.`;
  return { first: 'table', offered, rule: proposal.first === 'table' ? id : first.rule, reason };
}

function columnsLeftOut(spec: ChartSpec, { columns }: ChoiceFacts): string {
  const used = new Set(drawnColumns(spec));
  const left = columns.filter(({ index }) => !used.has(index));
  if (left.length === 0) return '';
  return `it leaves out the column${left.length === 1 ? '' : 's'} ${columnNames(left)}`;
}

/** NULL has no place along an axis, and NaN and infinity have none at all. A bar without a value says NULL. */
function rowsLeftOut({ kind, x, y }: ChartSpec, { columns }: ChoiceFacts): string {
  const sum = (indexes: readonly number[], count: 'nulls' | 'notFinite'): number =>
    indexes.reduce((total, index) => total + (columns[index]?.[count] ?? 0), 0);
  const placed = kind === 'line' ? x : kind === 'scatter' ? [...x, ...y] : [];
  const [nulls, notFinite] = [sum(placed, 'nulls'), sum([...x, ...y], 'notFinite')];
  const texts = [
    nulls === 0 ? '' : `${nulls} row${nulls === 1 ? ' has' : 's have'} NULL where a place is needed`,
    notFinite === 0 ? '' : `${notFinite} value${notFinite === 1 ? ' is' : 's are'} NaN or infinite`,
  ];
  return texts.filter((text) => text !== '').join('; ');
}
