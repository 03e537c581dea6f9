import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError, didYouMean } from '@askema/core';
import { fileWithin } from '../files/file-within.ts';
import { type DatasetFormat, FORMATS } from './dataset-formats.ts';
import type { Dataset } from './read/dataset.ts';
import type { DatabaseOptions, FoundDataset } from './read/dataset-format.ts';
import { entriesOf } from './read/find-database.ts';
import { notationOf, peekFields, readRows } from './read/read-rows.ts';

/** What `loadDataset` takes beside the place. */
export interface LoadDatasetOptions extends DatabaseOptions {
  /** Default: it is recognised by the files that are there. */
  readonly format?: DatasetFormat | undefined;
}

/**
 * Reads a dataset: a folder, or the file with its questions. The format is recognised by the files that are there, or
 * named in `options.format`; `describeFormats` lists them. Files are read row by row, and may be gzip. A row that
 * cannot be used, repeats an id, or names a database that is not there stands in `problems` with its line; the others
 * stay.
 *
 * @throws AskemaError `DATASET_INVALID` when no format is recognised, a file cannot be read, or no row can be used.
 */
export async function loadDataset(place: string, options: LoadDatasetOptions = {}): Promise<Dataset> {
  const found = await recogniseFormat(path.resolve(place), options.format);
  const databaseFolder = options.databaseFolder === undefined ? undefined : path.resolve(options.databaseFolder);
  return FORMATS[found.format].load(found, { ...options, databaseFolder });
}

type Found = FoundDataset & { readonly format: DatasetFormat };

/** The order in which a folder is looked through; what a file holds decides. */
const TRIED: readonly string[] = [
  'questions.jsonl',
  'spider2-lite.jsonl',
  'spider2-lite.json',
  'spider2-snow.jsonl',
  'spider2-snow.json',
  'tasks.jsonl',
  'dev.json',
  'mini_dev_sqlite.json',
  'mini_dev_postgresql.json',
  'mini_dev_mysql.json',
  'train.json',
  'train_spider.json',
  'train_others.json',
  'test.json',
  'spider-realistic.json',
  'Spider-DK.json',
  'questions_gen_sqlite.csv',
  'questions_gen_postgres.csv',
  'questions_gen_snowflake.csv',
  'questions_gen_bigquery.csv',
  'questions.json',
  'questions.csv',
  'questions.tsv',
  'data/questions_gen_sqlite.csv',
  'data/questions_gen_postgres.csv',
  'data/questions_gen_snowflake.csv',
  'data/questions_gen_bigquery.csv',
  'spider2-lite/spider2-lite.jsonl',
  'spider2-snow/spider2-snow.jsonl',
];

/**
 * Which format a folder or a file is, by the files that are there and the fields of the first row; with `format`, where
 * its questions are.
 *
 * @throws AskemaError `DATASET_INVALID` with what was looked for, and what is nearest to it.
 */
async function recogniseFormat(place: string, format: DatasetFormat | undefined): Promise<Found> {
  const found = await stat(place).catch(() => undefined);
  if (found === undefined) throw await missing(place, format);
  if (!found.isDirectory())
    return { format: format ?? (await formatOf(place)), root: path.dirname(place), file: place };
  const file = await firstThere(place, format === undefined ? TRIED : FORMATS[format].files);
  if (file === undefined) throw nothingThere(place, format);
  return { format: format ?? (await formatOf(file)), root: path.dirname(file), file };
}

async function firstThere(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    for (const file of [path.join(folder, name), path.join(folder, `${name}.gz`)]) {
      if ((await stat(file).catch(() => undefined))?.isFile() === true) return fileWithin(folder, file);
    }
  }
  return undefined;
}

/** By its name where that says enough, else by the fields of its first row. */
async function formatOf(file: string): Promise<DatasetFormat> {
  const name = path.basename(file).toLowerCase();
  const isCsv = (await notationOf(file)) === 'csv';
  const fields = await peekFields(file);
  const has = (...names: readonly string[]): boolean =>
    fields !== undefined && names.every((field) => Object.hasOwn(fields, field));
  if (has('instance_id', 'question') || has('instance_id', 'instruction'))
    return name.includes('snow') ? 'spider2-snow' : name.includes('lite') ? 'spider2-lite' : spider2Set(file);
  const isQuestion = has('sql') || has('query') || has('gold_sql') || has('SQL');
  if (has('answer') && !isQuestion) throw schemas(file);
  if ((has('gold_sql_sqlite') || has('gold_sql_postgres')) && !has('gold_sql')) return 'defog';
  if (has('db_name', 'query', 'question')) return 'defog';
  if (has('db_id', 'gold_sql') && !isCsv) return 'askema';
  if (has('db_id', 'SQL')) return 'bird';
  if (has('db_id', 'query') && !isCsv) return 'spider';
  if (has('question') && isQuestion) return isCsv ? 'csv' : 'jsonl';
  // Rows that cannot be read are told one by one, by the reader of the format that the name means.
  if (name.startsWith('questions.jsonl')) return 'askema';
  if (isCsv && fields === undefined) return 'csv';
  throw unknownFields(file, fields);
}

async function spider2Set(file: string): Promise<DatasetFormat> {
  const sets = new Set<unknown>();
  for await (const row of readRows(file)) {
    if ('value' in row) sets.add((row.value as { set?: unknown } | null)?.set);
  }
  if (sets.has('lite') && !sets.has('snow')) return 'spider2-lite';
  if (sets.has('snow') && !sets.has('lite')) return 'spider2-snow';
  throw invalid(
    `${file} ${sets.has('lite') ? 'holds the tasks of both sets of Spider 2.0' : 'does not say of which set of Spider 2.0 its tasks are'}: choose the format, \`spider2-lite\` or \`spider2-snow\`.`,
  );
}

async function missing(place: string, format: DatasetFormat | undefined): Promise<AskemaError> {
  const folder = path.dirname(place);
  const siblings = await readdir(folder).catch(() => []);
  const hint = didYouMean(path.basename(place).slice(0, 255), siblings.slice(0, 1000));
  const what = path.extname(place) === '' ? `questions.jsonl in ${place}: there is no such folder` : place;
  return invalid(`There is no ${what}.${hint === '' ? '' : ` ${hint}`} ${whatIsLookedFor(format)}`);
}

function nothingThere(folder: string, format: DatasetFormat | undefined): AskemaError {
  const there = entriesOf(folder);
  if (format === undefined && there.some((name) => name.startsWith('requirements.jsonl'))) {
    return schemas(path.join(folder, 'requirements.jsonl'));
  }
  const wanted = format === undefined ? TRIED : FORMATS[format].files;
  const near = there.slice(0, 1000).find((name) => didYouMean(name, wanted) !== '');
  const hint = near === undefined ? '' : ` There is \`${near}\`. ${didYouMean(near, wanted)}`;
  const list =
    there.length === 0 ? 'It is empty.' : `It holds ${there.slice(0, 8).join(', ')}${there.length > 8 ? ', ...' : ''}.`;
  return invalid(`No dataset was found in ${folder}.${hint} ${list} ${whatIsLookedFor(format)}`);
}

function whatIsLookedFor(format: DatasetFormat | undefined): string {
  if (format !== undefined) return `The format ${format} has its questions in ${FORMATS[format].files.join(', ')}.`;
  return 'A dataset is a folder with questions.jsonl (one JSON object a line: id, db_id, question, gold_sql) and databases/<db_id>.sqlite; dev.json of Spider or BIRD; spider2-lite.jsonl or spider2-snow.jsonl; or a JSONL or CSV file of question, sql.';
}

function unknownFields(file: string, fields: Readonly<Record<string, unknown>> | undefined): AskemaError {
  const names = Object.keys(fields ?? {})
    .slice(0, 20)
    .map((name) => name.slice(0, 40));
  if (fields === undefined) {
    return invalid(`${file} is no dataset: none of its first rows is a JSON object. ${whatIsLookedFor(undefined)}`);
  }
  const absent = ['question', 'sql'].filter((name) => !names.includes(name));
  const near = absent.map((name) => didYouMean(name, names)).find((hint) => hint !== '');
  return invalid(
    `The rows of ${file} have the fields ${names.join(', ') || '(none)'}, which no format has. Questions of your own need question and sql.${near === undefined ? '' : ` ${near}`}`,
  );
}

function schemas(file: string): AskemaError {
  return invalid(
    `${file} holds requirements with schemas (RSchema), not questions: measure on it with \`askema eval design\`, or \`loadSchemaDataset\` and \`evaluateDesigns\` in code.`,
  );
}

function invalid(message: string): AskemaError {
  return new AskemaError('DATASET_INVALID', message);
}
