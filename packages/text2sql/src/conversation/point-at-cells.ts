import { oneLine, type QueryResult, toAskemaError, type Value } from '@askema/core';
import { cutText } from '../prompts/cut-text.ts';
import type { KeptTurn, Understood } from './conversation-options.ts';

/** Rows of the result of a turn: those that were shown, or the first ones of its statement, asked again. */
export type RowsOfTurn = (turn: KeptTurn, rows: number) => Promise<Pick<QueryResult, 'columns' | 'rows'>>;

interface PointedCell {
  readonly turn: number;
  readonly row: number;
  readonly column: string;
}

/** As the task of rewriting has it: turn, row, column, which is a name or, where none is called so, a number from 1. */
const MARK = /\[\[\s*(\d{1,6})\s*:\s*(\d{1,6})\s*:([^\]]{1,200})\]\]/g;
/** More than a question points at. */
const MAX_CELLS = 10;
/** Of a value: it stands in prompts and in the journal. */
const MAX_VALUE_CHARACTERS = 1_000;

/**
 * Puts the values that a question, or a part of an explanation, points at into it. One that reads as a name or a number
 * stands in the question, a name in quotes; any other stands beside it, where prompts fence it. What points at nothing
 * is asked back.
 */
export async function pointAtCells(
  understood: Understood,
  path: readonly KeptTurn[],
  rowsOf: RowsOfTurn,
): Promise<Understood> {
  const { question = '', questions = [], asks } = understood;
  if (asks !== undefined) return { ...understood, asks: await showCells(asks, path, rowsOf) };
  const found = [question, ...questions].map((text) => [...text.matchAll(MARK)]);
  const marks = found.flat();
  if (marks.length === 0) return understood;
  if (found.some(({ length }) => length > MAX_CELLS))
    return { kind: 'unclear', asks: { ask: 'That points at too many values. What is meant?', choices: [] } };
  const rowsOnce = askedOnce(marks, rowsOf);
  const values = new Map<string, string>();
  const beside = new Set<string>();
  for (const [mark, ...place] of marks) {
    if (values.has(mark)) continue;
    const cell = cellOf(place);
    const value = await valueAt(cell, path, rowsOnce);
    if (value === undefined) return { kind: 'unclear', asks: { ask: missing(cell), choices: [] } };
    values.set(mark, shownValue(value, cell));
    if (!isPlain(value)) beside.add(`The value in ${placeOf(cell)}, column ${oneLine(cell.column, 60)}, is ${value}`);
  }
  const written = (text: string): string => text.replaceAll(MARK, (mark) => values.get(mark) ?? mark);
  return {
    ...understood,
    question: written(question),
    ...(questions.length > 0 && { questions: questions.map(written) }),
    ...(beside.size > 0 && { evidence: [...beside].join('\n') }),
  };
}

/**
 * Choices as people read them: with the values that they point at, or, where one cannot be looked up, with its place.
 * What is asked when one is chosen points at them still.
 */
async function showCells(
  asks: NonNullable<Understood['asks']>,
  path: readonly KeptTurn[],
  rowsOf: RowsOfTurn,
): Promise<NonNullable<Understood['asks']>> {
  const marks = asks.choices.flatMap(({ meaning }) => [...meaning.matchAll(MARK)]);
  const rowsOnce = askedOnce(marks, rowsOf);
  const values = new Map<string, string>();
  for (const [mark, ...place] of marks) {
    if (values.has(mark)) continue;
    const cell = cellOf(place);
    const isOneMore = values.size < MAX_CELLS;
    values.set(mark, shownValue(isOneMore ? await valueIfThere(cell, path, rowsOnce) : undefined, cell));
  }
  const written = (text: string): string => text.replaceAll(MARK, (mark) => values.get(mark) ?? mark);
  return { ...asks, choices: asks.choices.map((choice) => ({ ...choice, meaning: written(choice.meaning) })) };
}

/** Asks for the rows of a turn once, down to the last one that a mark points at. */
function askedOnce(marks: readonly RegExpExecArray[], rowsOf: RowsOfTurn): RowsOfTurn {
  const cells = marks.map(([, ...place]) => cellOf(place));
  const asked = new Map<number, ReturnType<RowsOfTurn>>();
  return (turn, most) => {
    const rows = cells.filter((cell) => cell.turn === turn.turn && cell.row <= most).map(({ row }) => row);
    const found = asked.get(turn.turn) ?? rowsOf(turn, Math.max(...rows));
    asked.set(turn.turn, found);
    return found;
  };
}

function cellOf([turn, row, column = '']: readonly string[]): PointedCell {
  return { turn: Number(turn), row: Number(row), column: column.trim() };
}

function placeOf({ turn, row }: PointedCell): string {
  return `row ${row} of turn ${turn}`;
}

function shownValue(value: string | undefined, cell: PointedCell): string {
  return value !== undefined && isPlain(value) ? value : `(the value in ${placeOf(cell)})`;
}

async function valueIfThere(
  cell: PointedCell,
  path: readonly KeptTurn[],
  rowsOf: RowsOfTurn,
): Promise<string | undefined> {
  try {
    return await valueAt(cell, path, rowsOf);
  } catch (thrown) {
    const error = toAskemaError(thrown);
    if (error.code === 'ABORTED') throw error;
    return undefined;
  }
}

async function valueAt(cell: PointedCell, path: readonly KeptTurn[], rowsOf: RowsOfTurn): Promise<string | undefined> {
  const turn = path.find((one) => one.turn === cell.turn);
  if (turn?.answer.type !== 'answered' || cell.row < 1 || cell.row > turn.answer.rows) return undefined;
  const { columns, rows } = await rowsOf(turn, turn.answer.rows);
  const names = columns.map(({ name }) => name);
  const wanted = cell.column.toLowerCase();
  const exact = names.indexOf(cell.column);
  const named = exact >= 0 ? exact : names.findIndex((name) => name.toLowerCase() === wanted);
  const position = named >= 0 || !/^\d{1,4}$/.test(wanted) ? named : Number(wanted) - 1;
  const value = rows[cell.row - 1]?.[names.length === 1 ? 0 : position];
  return value === undefined ? undefined : textOf(value);
}

function missing({ turn, row, column }: PointedCell): string {
  return `Row ${row} of turn ${turn} with ${oneLine(column, 60)} is not there. What is meant?`;
}

/** As people write it: text in quotes. */
function textOf(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${cutText(value, MAX_VALUE_CHARACTERS).replaceAll("'", "''")}'`;
  if (value instanceof Uint8Array) return `x'${Buffer.from(value.subarray(0, 64)).toString('hex')}'`;
  return typeof value === 'object' ? cutText(JSON.stringify(value), MAX_VALUE_CHARACTERS) : String(value);
}

/** Names and numbers: short, on one line, without anything that could end a quotation or begin a mark. */
function isPlain(text: string): boolean {
  return /^'?[\p{L}\p{M}\p{N} .,&()/:+@#_-]{0,60}'?$/u.test(text);
}
