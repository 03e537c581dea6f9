import { AskemaError, didYouMean, type QueryResult } from '@askema/core';
import { type ColumnFacts, type FactOptions, resultFacts } from '../facts/column-facts.ts';
import { isUnique } from '../facts/unique-rows.ts';
import { type ChartSpec, chartSpecSchema, drawnColumns } from './chart-spec.ts';

export interface CheckSpecOptions extends FactOptions {
  /** What the rules offer. With it only these are accepted; the title may differ. */
  readonly offered?: readonly ChartSpec[] | undefined;
}

type Checked = Pick<QueryResult, 'columns' | 'rows'>;

/**
 * The specification, when it is one and draws nothing false of this result: numbers are measured, identifiers are not,
 * a line runs over time or ordered numbers with one value a point, only parts of a whole are stacked.
 *
 * @throws AskemaError `INPUT_INVALID`: what is wrong, with which column, and what to do
 */
export function checkChartSpec(spec: unknown, result: Checked, options: CheckSpecOptions = {}): ChartSpec {
  const checked = fittingSpec(spec, result);
  const { offered } = options;
  if (offered !== undefined && !offered.some((each) => sameChart(each, checked)))
    throw refused(
      offered.length === 0
        ? 'no chart is offered for this result; show its table.'
        : `it is none of the ${offered.length} charts that are offered; take one of them as it is.`,
    );
  const facts = resultFacts(result, options).columns;
  for (const index of checked.y) checkMeasure(facts[index] as ColumnFacts);
  if (checked.kind === 'line') checkLine(checked, result, facts);
  if (checked.kind === 'scatter') checkAcross(checked, facts);
  if (checked.kind === 'bar') checkBars(checked, facts);
  return checked;
}

/**
 * The specification, when it is one and its columns are there in such a number as its kind needs. Whatever is drawn
 * goes through here. @throws AskemaError `INPUT_INVALID`
 */
export function fittingSpec(spec: unknown, result: Checked): ChartSpec {
  const parsed = chartSpecSchema.safeParse(spec);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const near = issue?.code === 'unrecognized_keys' ? didYouMean(issue.keys[0] ?? '', Object.keys(SHAPE)) : '';
    throw refused(`${issue?.path.join('.') || 'the specification'}: ${issue?.message ?? 'not valid'}. ${near}`);
  }
  const { kind, x, y, series, layout } = parsed.data;
  const used = drawnColumns(parsed.data);
  const missing = used.find((index) => index >= result.columns.length);
  if (missing !== undefined)
    throw refused(`column ${missing} is not there; the result has ${result.columns.length}, counted from 0.`);
  const twice = used.find((index, at) => used.indexOf(index) !== at);
  if (twice !== undefined) throw refused(`column ${nameOf(result, twice)} is used twice; use each once.`);
  if (kind === 'number' && (x.length > 0 || series !== undefined || result.rows.length !== 1))
    throw refused(`a number is one row without x and series; the result has ${result.rows.length} rows.`);
  if ((kind === 'line' || kind === 'scatter') && x.length !== 1)
    throw refused(`a ${kind} has one column as x, not ${x.length}.`);
  if (kind === 'bar' && x.length === 0 && !(series !== undefined && layout === 'stacked'))
    throw refused('bars without x are one stacked bar: give x, or a series with the layout "stacked".');
  if (kind === 'scatter' && y.length !== 1) throw refused(`a scatter has one column as y, not ${y.length}.`);
  if (series !== undefined && y.length !== 1)
    throw refused(`with a series there is one column as y, not ${y.length}; leave out the series or the others.`);
  if (series !== undefined && kind !== 'scatter' && !isUnique(result.rows, [...x, series]))
    throw refused('several rows have the same x and series, so that one would hide the other; show the table.');
  return parsed.data;
}

const SHAPE = chartSpecSchema.unwrap().shape;

function sameChart(first: ChartSpec, second: ChartSpec): boolean {
  const text = ({ kind, x, y, series, layout, sort, limit, format }: ChartSpec): string =>
    JSON.stringify([kind, x, y, series, layout, sort, limit, format]);
  return text(first) === text(second);
}

function checkMeasure({ role, why, name }: ColumnFacts): void {
  if (role === 'id') throw refused(`column ${shown(name)} ${why}, which measures nothing; take it as x, not as y.`);
  if (role !== 'measure') throw refused(`column ${shown(name)} holds no numbers that measure something.`);
}

function checkLine({ x, series }: ChartSpec, result: Checked, facts: readonly ColumnFacts[]): void {
  const across = facts[x[0] ?? -1];
  if (across?.role !== 'time' && across?.role !== 'measure')
    throw refused(`a line runs over time or ordered numbers, not over ${shown(across?.name ?? '')}; draw bars.`);
  if (series === undefined && !isUnique(result.rows, x))
    throw refused(`column ${shown(across.name)} has the same value in several rows: give a series, or show the table.`);
}

function checkAcross({ x }: ChartSpec, facts: readonly ColumnFacts[]): void {
  const across = facts[x[0] ?? -1];
  if (across?.role !== 'time' && across?.role !== 'measure')
    throw refused(`dots stand over time or numbers, not over ${shown(across?.name ?? '')}; draw bars.`);
}

function checkBars({ y, layout }: ChartSpec, facts: readonly ColumnFacts[]): void {
  const measure = facts[y[0] ?? -1];
  if (layout !== 'stacked' || measure === undefined) return;
  if (!measure.additive)
    throw refused(
      `the numbers of ${shown(measure.name)} are not known to add up to a whole, so they are not stacked; group them.`,
    );
  if (measure.negative)
    throw refused(`${shown(measure.name)} has negative numbers, which cannot be stacked; group them.`);
}

const nameOf = (result: Checked, index: number): string => shown(result.columns[index]?.name ?? '');
const shown = (name: string): string => JSON.stringify(name.slice(0, 80));

function refused(message: string): AskemaError {
  return new AskemaError('INPUT_INVALID', `The chart cannot be drawn: ${message.trim()}`);
}
