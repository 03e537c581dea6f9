import { AskemaError, didYouMean } from '@askema/core';

/** The formats that {@link loadDataset} reads, in the order in which they are tried. */
export const DATASET_FORMATS = [
  'askema',
  'spider',
  'bird',
  'spider2-lite',
  'spider2-snow',
  'defog',
  'jsonl',
  'csv',
] as const;

/** The name of a format. */
export type DatasetFormat = (typeof DATASET_FORMATS)[number];

/** What a format looks like, for help texts. */
export interface DatasetFormatDescription {
  readonly format: DatasetFormat;
  /** A name for readers: `BIRD and its mini-dev`. */
  readonly title: string;
  /** Files and fields by which it is recognised, in one line. */
  readonly layout: string;
}

const DESCRIPTIONS: Readonly<Record<DatasetFormat, Omit<DatasetFormatDescription, 'format'>>> = {
  askema: {
    title: 'the format of Askema',
    layout: 'questions.jsonl (id, db_id, question, gold_sql) and databases/<db_id>.sqlite',
  },
  spider: {
    title: 'Spider, its test suites, Realistic, Syn, DK',
    layout:
      'dev.json or train_spider.json (db_id, question, query) and database/<db_id>/<db_id>.sqlite; or one such json',
  },
  bird: {
    title: 'BIRD and its mini-dev',
    layout:
      'dev.json or mini_dev_sqlite.json (db_id, question, SQL, evidence) and dev_databases/<db_id>/<db_id>.sqlite',
  },
  'spider2-lite': {
    title: 'Spider 2.0 Lite',
    layout: 'spider2-lite.jsonl and evaluation_suite/gold; or tasks.jsonl and gold-results.jsonl',
  },
  'spider2-snow': {
    title: 'Spider 2.0 Snow',
    layout: 'spider2-snow.jsonl and evaluation_suite/gold; or tasks.jsonl and gold-results.jsonl',
  },
  defog: {
    title: "defog's sql-eval",
    layout:
      'a CSV of db_name, query_category, query, question; or questions.jsonl with gold_sql_sqlite and sqlite/<db_id>.sqlite',
  },
  jsonl: {
    title: 'your own questions',
    layout:
      'one JSON object a line: question, sql; optional id, database, evidence, category, difficulty, order_matters',
  },
  csv: {
    title: 'your own questions',
    layout: 'a header with question, sql; optional id, database, evidence, category, difficulty, order_matters',
  },
};

/** What each format looks like, in the order of {@link DATASET_FORMATS}; for help texts. */
export function describeFormats(): readonly DatasetFormatDescription[] {
  return DATASET_FORMATS.map((format) => ({ format, ...DESCRIPTIONS[format] }));
}

/**
 * A format by its name, as users write it.
 *
 * @throws AskemaError `INPUT_INVALID` with the nearest names.
 */
export function readDatasetFormat(name: string): DatasetFormat {
  const found = DATASET_FORMATS.find((format) => format === name);
  if (found !== undefined) return found;
  const schemas = /^r-?schema$/i.test(name)
    ? ' RSchema holds schemas, not questions: `askema eval design` measures on it.'
    : '';
  throw new AskemaError(
    'INPUT_INVALID',
    `There is no dataset format \`${name}\`.${schemas} ${didYouMean(name, DATASET_FORMATS)} There are: ${DATASET_FORMATS.join(', ')}.`.replace(
      / {2,}/g,
      ' ',
    ),
  );
}
