import { type ComparableResult, compareResults } from '@askema/core';
import type { DatasetQuestion, GoldResult, OfficialRule } from '../datasets/read/dataset.ts';
import type { Metric, MetricInput } from './metric.ts';
import { type PandasColumn, type PandasTable, readPandasCsv, resultOfTable, tableOfResult } from './pandas-csv.ts';
import { pythonFloat } from './python-number.ts';

type Spider2Rule = Extract<OfficialRule, { benchmark: 'spider2' }>;

/** Assignments of columns that `strict` compares for one accepted file, and steps on the way to them. */
const MAX_ASSIGNMENTS = 200;
const MAX_STEPS = 20_000;

/**
 * As the evaluator of Spider 2.0 judges (evaluate.py of spider2-lite and spider2-snow): right when, for any accepted
 * file, each of its condition columns has some column of the answer with the same cells. Extra columns, names and the
 * order of columns do not count; where the order of rows does not, every column is sorted alone, so that the
 * association of values in a row is lost. Does not apply where the dataset has no such rule or no accepted file of the
 * question.
 */
export const spider2Metric: Metric = {
  id: 'spider2',
  title: 'Spider 2.0',
  score: (input) => scored(input, false),
};

/**
 * As {@link spider2Metric}, but the rows must be the accepted file's rows: the association of values in a row is kept.
 */
export const spider2StrictMetric: Metric = {
  id: 'spider2-strict',
  title: 'Spider 2.0, rows kept',
  score: (input) => scored(input, true),
};

function scored({ question, result }: MetricInput, strict: boolean): number | undefined {
  const rule = spider2Rule(question);
  if (rule === undefined) return undefined;
  return result === undefined ? 0 : scoreSpider2(question.goldResults ?? [], rule, tableOfResult(result), { strict });
}

/** The rule of a question that has accepted files. */
function spider2Rule({ official, goldResults }: DatasetQuestion): Spider2Rule | undefined {
  return official?.benchmark === 'spider2' && (goldResults?.length ?? 0) > 0 ? official : undefined;
}

/**
 * 1 where an answer agrees with any of the accepted files, else 0. As in the evaluator, a file whose condition columns
 * are not there ends the search; so does a file that cannot be read.
 */
export function scoreSpider2(
  accepted: readonly GoldResult[],
  rule: Spider2Rule,
  answer: PandasTable,
  options: { readonly strict?: boolean | undefined } = {},
): 0 | 1 {
  const candidate = spider2Vectors(answer, rule.ignoreOrder);
  for (const gold of accepted.toSorted((a, b) => a.position - b.position)) {
    const columns = conditionColumns(rule, gold.position);
    if (columns === undefined) return 0;
    const table = readGold(gold.csv, columns);
    if (table === undefined) return 0;
    const vectors = spider2Vectors(table, rule.ignoreOrder);
    const choices = vectors.map((vector) => placesOf(vector, candidate));
    if (choices.some((places) => places.length === 0)) continue;
    if (options.strict !== true || sameRows(table, answer, choices, rule)) return 1;
  }
  return 0;
}

/** The columns of an accepted file that count; empty for all, undefined where the list is shorter than the files. */
function conditionColumns(
  { conditionColumns: all, files }: Spider2Rule,
  position: number,
): readonly number[] | undefined {
  const lists = all.filter((one): one is readonly number[] => typeof one !== 'number');
  if (all.length === 0 || (all.length === 1 && lists[0]?.length === 0)) return [];
  if (lists.length < all.length) return all.filter((one): one is number => typeof one === 'number');
  // With a single file the evaluator takes the list as it stands, and a list of lists is no index of columns.
  return files === 1 ? undefined : lists[position];
}

function readGold(csv: string, columns: readonly number[]): PandasTable | undefined {
  let table: PandasTable;
  try {
    table = readPandasCsv(csv);
  } catch {
    return undefined;
  }
  if (columns.length === 0) return table;
  const chosen = columns.map((column) => table.columns.at(column));
  return chosen.every((column) => column !== undefined) ? { ...table, columns: chosen } : undefined;
}

function placesOf(vector: Spider2Vector, candidate: readonly Spider2Vector[]): readonly number[] {
  return [...candidate.keys()].filter((place) => spider2VectorsMatch(vector, candidate[place] ?? []));
}

/** Whether one column of the answer for each of gold, none twice, gives the same rows. */
function sameRows(
  gold: PandasTable,
  answer: PandasTable,
  choices: readonly (readonly number[])[],
  { ignoreOrder }: Spider2Rule,
): boolean {
  const goldRows = zeroed(resultOfTable(gold));
  const answerRows = zeroed(resultOfTable(answer));
  const options = { orderMatters: !ignoreOrder, absoluteTolerance: 1e-2, relativeTolerance: 1e-9 };
  let left = MAX_ASSIGNMENTS;
  let steps = MAX_STEPS;
  const taken: number[] = [];
  const assign = (column: number): boolean => {
    if (column === choices.length) {
      left -= 1;
      return compareResults(goldRows, cut(answerRows, taken), options).match;
    }
    for (const place of choices[column] ?? []) {
      steps -= 1;
      if (left <= 0 || steps <= 0) return false;
      if (taken.includes(place)) continue;
      taken.push(place);
      if (assign(column + 1)) return true;
      taken.pop();
    }
    return false;
  };
  return assign(0);
}

function zeroed({ columns, rows }: ComparableResult): ComparableResult {
  return { columns, rows: rows.map((row) => row.map((value) => value ?? 0)) };
}

function cut({ columns, rows }: ComparableResult, places: readonly number[]): ComparableResult {
  return {
    columns: places.flatMap((place) => columns[place] ?? []),
    rows: rows.map((row) => places.map((place) => row[place] ?? null)),
  };
}

/** How far two numbers may lie apart: the larger of both. */
const ABSOLUTE_TOLERANCE = 1e-2;
const RELATIVE_TOLERANCE = 1e-9;

/**
 * A cell as the evaluator holds it against another: its text as Python writes it, by which columns are sorted, and its
 * number.
 */
interface Spider2Cell {
  readonly text: string;
  readonly number: number | undefined;
}

/** A column, sorted alone where the order of rows does not count. */
type Spider2Vector = readonly Spider2Cell[];

const ZERO: Spider2Cell = { text: '0', number: 0 };

/**
 * The columns of a table as the evaluator compares them. A missing cell is 0. In a table of numbers of several types
 * all whole numbers are floating point, as pandas makes them when it transposes.
 */
function spider2Vectors({ columns }: PandasTable, ignoreOrder: boolean): readonly Spider2Vector[] {
  const types = new Set(columns.map(({ type }) => type));
  const allFloat = types.size > 1 && [...types].every((type) => type !== 'bool' && type !== 'object');
  return columns.map((column) => {
    const cells = column.cells.map((cell) => cellOf(cell, allFloat || column.type === 'float64'));
    return ignoreOrder ? cells.sort(compareCells) : cells;
  });
}

function cellOf(cell: PandasColumn['cells'][number], isFloat: boolean): Spider2Cell {
  if (cell === undefined) return ZERO;
  if (typeof cell === 'string') return { text: cell, number: undefined };
  if (typeof cell === 'boolean') return { text: cell ? 'True' : 'False', number: cell ? 1 : 0 };
  const number = Number(cell);
  return { text: isFloat ? pythonFloat(number) : `${cell}`, number };
}

function compareCells(a: Spider2Cell, b: Spider2Cell): number {
  if (a.text !== b.text) return a.text < b.text ? -1 : 1;
  return Number(a.number !== undefined) - Number(b.number !== undefined);
}

/** Whether two columns hold the same, place by place. */
function spider2VectorsMatch(a: Spider2Vector, b: Spider2Vector): boolean {
  if (a.length !== b.length) return false;
  return a.every((cell, position) => {
    const other = b[position];
    if (other === undefined) return false;
    if (cell.number === undefined || other.number === undefined)
      return cell.number === other.number && cell.text === other.text;
    return isClose(cell.number, other.number);
  });
}

function isClose(a: number, b: number): boolean {
  if (a === b) return true;
  const reach = Math.max(ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b)));
  return Number.isFinite(a) && Number.isFinite(b) && Math.abs(a - b) <= reach;
}
