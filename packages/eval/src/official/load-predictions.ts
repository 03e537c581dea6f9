import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError } from '@askema/core';
import type { Dataset, DatasetProblem, DatasetQuestion } from '../datasets/read/dataset.ts';
import { readRows } from '../datasets/read/read-rows.ts';
import { fileWithin } from '../files/file-within.ts';

/** An answer that was made elsewhere: a statement, or the file of its result, or both. */
export interface Prediction {
  readonly sql?: string | undefined;
  /** CSV with a header. */
  readonly csv?: string | undefined;
}

/** How predictions are laid out: as the benchmarks want them handed in, or rows of JSON or CSV. */
export type PredictionFormat = 'spider' | 'bird' | 'spider2' | 'jsonl' | 'csv';

/** Answers by the id of their question. */
export interface Predictions {
  /** The file or folder. */
  readonly source: string;
  readonly format: PredictionFormat;
  readonly answers: ReadonlyMap<string, Prediction>;
  /** What could not be read, or belongs to no question. */
  readonly problems: readonly DatasetProblem[];
}

/**
 * Reads answers that were made elsewhere, for the questions of a dataset. The layout is recognised:
 * - a folder of `<id>.sql` and `<id>.csv`: Spider 2.0; a question that has both is judged by its CSV.
 * - `.json`, an object of statements: BIRD, by the place of the question from 0 (what follows `----- bird -----` names
 *   the database), or by id.
 * - `.jsonl`: objects of `id` (or `instance_id`, `question_id`) and `sql` or `csv`.
 * - `.csv`, `.tsv`: a column `sql` (or `query`, `prediction`) and one `id` (or `instance_id`, `question_id`); without
 *   ids in the order of the questions.
 * - any other file: Spider, one statement a line in the order of the questions; what follows a tab names the database.
 *
 * @throws AskemaError `INPUT_INVALID` where there is nothing to read, with what was looked for.
 */
export async function loadPredictions(source: string, dataset: Dataset): Promise<Predictions> {
  const info = await stat(source).catch(() => undefined);
  if (info === undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      `There are no predictions at ${source}: give a folder of .sql or .csv files, a .json, a .jsonl, a .csv with columns id and sql, or a text of one statement a line.`,
    );
  const collected = collector(dataset);
  const format = info.isDirectory()
    ? await readFolder(source, collected)
    : await readText(source, await readFile(source, 'utf8'), dataset, collected);
  if (collected.answers.size === 0 && collected.problems.length === 0)
    throw new AskemaError('INPUT_INVALID', `${source} holds no prediction.`);
  return { source, format, answers: collected.answers, problems: collected.problems };
}

interface Collector {
  readonly answers: Map<string, Prediction>;
  readonly problems: DatasetProblem[];
  add(line: number, id: string, prediction: Prediction): void;
}

function collector({ questions }: Dataset): Collector {
  const ids = new Set(questions.map(({ id }) => id));
  const answers = new Map<string, Prediction>();
  const problems: DatasetProblem[] = [];
  return {
    answers,
    problems,
    add(line, id, prediction) {
      if (!ids.has(id)) problems.push({ line, id, message: `The dataset has no question ${id}.` });
      else answers.set(id, { ...answers.get(id), ...prediction });
    },
  };
}

async function readFolder(folder: string, collected: Collector): Promise<PredictionFormat> {
  const files = (await readdir(folder)).filter((file) => /\.(?:sql|csv)$/.test(file)).sort();
  if (files.length === 0) throw new AskemaError('INPUT_INVALID', `${folder} holds no .sql and no .csv file.`);
  for (const [position, file] of files.entries()) {
    const text = await readFile(fileWithin(folder, path.join(folder, file)), 'utf8');
    const { name, ext } = path.parse(file);
    collected.add(position + 1, name, ext === '.sql' ? { sql: text.trim() } : { csv: text });
  }
  return 'spider2';
}

async function readText(
  source: string,
  text: string,
  dataset: Dataset,
  collected: Collector,
): Promise<PredictionFormat> {
  switch (path.extname(source).toLowerCase()) {
    case '.json':
      readJson(source, text, dataset, collected);
      return 'bird';
    case '.jsonl':
      readLines(text, collected);
      return 'jsonl';
    case '.csv':
    case '.tsv':
      await readTable(source, dataset, collected);
      return 'csv';
    default:
      readPlain(text, dataset, collected);
      return 'spider';
  }
}

const BIRD_MARK = '\t----- bird -----\t';

function readJson(source: string, text: string, dataset: Dataset, collected: Collector): void {
  const parsed = parse(text);
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    throw new AskemaError('INPUT_INVALID', `${source} is no JSON object of statements.`);
  const entries = Object.entries(parsed);
  const rows = rowsOf(dataset);
  const byPlace = entries.every(([key], position) => key === `${position}`) && entries.length === rows.length;
  for (const [position, [key, value]] of entries.entries()) {
    if (typeof value !== 'string') {
      collected.problems.push({ line: position + 1, id: key, message: 'The prediction is no text.' });
      continue;
    }
    const sql = value.split(BIRD_MARK)[0]?.trim() ?? '';
    const id = byPlace ? rows[position] : key;
    // A place of a question that could not be read belongs to nothing; the dataset reports it.
    if (id !== undefined) collected.add(position + 1, id, { sql });
  }
}

/** The questions in the order of their file; undefined where a row could not be read. */
function rowsOf({ questions, problems }: Dataset): readonly (string | undefined)[] {
  const rows: { readonly line: number; readonly id: string | undefined }[] = [
    ...questions.map(({ line, id }: DatasetQuestion) => ({ line, id })),
    ...problems
      .filter(({ line }) => line > 0 && !questions.some((one) => one.line === line))
      .map(({ line }) => ({ line, id: undefined })),
  ];
  return rows.sort((a, b) => a.line - b.line).map(({ id }) => id);
}

function readLines(text: string, collected: Collector): void {
  for (const [position, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const row = parse(line) as Readonly<Record<string, unknown>> | undefined | null;
    const id = ID_FIELDS.map((name) => row?.[name]).find((one) => one !== undefined && one !== null);
    const { sql, csv } = row ?? {};
    if (id === undefined || (typeof sql !== 'string' && typeof csv !== 'string')) {
      collected.problems.push({ line: position + 1, message: 'A line is an object of `id` and `sql` or `csv`.' });
      continue;
    }
    collected.add(position + 1, String(id), {
      ...(typeof sql === 'string' ? { sql } : {}),
      ...(typeof csv === 'string' ? { csv } : {}),
    });
  }
}

/** The fields of a row of CSV that are a statement, and that say which question it answers. */
const SQL_FIELDS = ['sql', 'query', 'prediction', 'predicted_sql'] as const;
const ID_FIELDS = ['id', 'instance_id', 'question_id'] as const;

async function readTable(source: string, dataset: Dataset, collected: Collector): Promise<void> {
  const rows = rowsOf(dataset);
  for await (const row of readRows(source, { notation: 'csv' })) {
    if ('problem' in row) {
      collected.problems.push({ line: row.line, message: row.problem });
      continue;
    }
    const fields = row.value as Readonly<Record<string, string | undefined>>;
    const sqlField = SQL_FIELDS.find((name) => name in fields);
    if (sqlField === undefined)
      throw new AskemaError(
        'INPUT_INVALID',
        `${source} has no column \`sql\`; its columns are ${Object.keys(fields).join(', ')}.`,
      );
    const idField = ID_FIELDS.find((name) => name in fields);
    const sql = fields[sqlField]?.trim() ?? '';
    if (idField !== undefined) collected.add(row.line, fields[idField]?.trim() ?? '', { sql });
    else addInOrder(row.line, row.position, { sql }, rows, collected);
  }
}

function addInOrder(
  line: number,
  position: number,
  prediction: Prediction,
  rows: readonly (string | undefined)[],
  collected: Collector,
): void {
  const id = rows[position];
  if (position >= rows.length) collected.problems.push({ line, message: `There are only ${rows.length} questions.` });
  // A place of a question that could not be read belongs to nothing; the dataset reports it.
  else if (id !== undefined && prediction.sql !== '') collected.add(line, id, prediction);
}

function readPlain(text: string, dataset: Dataset, collected: Collector): void {
  const rows = rowsOf(dataset);
  const lines = text.split(/\r?\n/);
  while (lines.at(-1) === '') lines.pop();
  for (const [position, line] of lines.entries()) {
    addInOrder(position + 1, position, { sql: line.split('\t')[0]?.trim() ?? '' }, rows, collected);
  }
  if (lines.length > 0 && lines.length < rows.length)
    collected.problems.push({
      line: lines.length,
      message: `There are ${rows.length} questions and only ${lines.length} lines, which are taken in order.`,
    });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
