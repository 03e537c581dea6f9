import path from 'node:path';
import type { Dataset, DatasetDatabase, DatasetQuestion } from '../read/dataset.ts';
import type { DatabaseOptions, DatasetFormatSpec, FoundDataset } from '../read/dataset-format.ts';
import { comesAsFile, findDatabaseIn } from '../read/find-database.ts';
import { collectQuestions, type QuestionCollector } from '../read/question-collector.ts';
import { readRows } from '../read/read-rows.ts';
import {
  readSpider2Lines,
  readSpider2Official,
  type Spider2Gold,
  type Spider2Rule,
  type Spider2Set,
  type Spider2Task,
  spider2Task,
} from './spider2-gold.ts';

/** The repository's own come first: what is missing is named as its download has it. */
const DATABASE_FOLDERS = [
  'resource/databases/spider2-localdb',
  'resource/databases',
  'resource/databases/sqlite',
  'databases',
];

/** Spider 2.0 Lite. */
export const spider2Lite: DatasetFormatSpec = {
  title: 'Spider 2.0 Lite',
  layout: 'spider2-lite.jsonl and evaluation_suite/gold; or tasks.jsonl and gold-results.jsonl',
  files: ['spider2-lite.jsonl', 'spider2-lite.json', 'spider2-lite/spider2-lite.jsonl', 'tasks.jsonl'],
  load: loadSpider2,
};

/** Spider 2.0 Snow. */
export const spider2Snow: DatasetFormatSpec = {
  title: 'Spider 2.0 Snow',
  layout: 'spider2-snow.jsonl and evaluation_suite/gold; or tasks.jsonl and gold-results.jsonl',
  files: ['spider2-snow.jsonl', 'spider2-snow.json', 'spider2-snow/spider2-snow.jsonl', 'tasks.jsonl'],
  load: loadSpider2,
};

/**
 * Spider 2.0 (https://github.com/xlang-ai/Spider2), Lite or Snow: the folder of its repository (`spider2-lite.jsonl`,
 * `evaluation_suite/gold`, `resource/documents`, `resource/databases/spider2-localdb`), or lines (`tasks.jsonl`,
 * `gold-sql.jsonl`, `gold-results.jsonl`, `documents.jsonl`; each may be gzip). Tasks of SQLite need their file; those
 * of BigQuery and Snowflake have the `dialect` and a `file` where one would be. Which tables gold reads is not loaded:
 * no pipeline may know it.
 */
async function loadSpider2(found: FoundDataset, options: DatabaseOptions): Promise<Dataset> {
  const { root, file, format } = found;
  const set: Spider2Set = format === 'spider2-snow' ? 'snow' : 'lite';
  const isLines = /^tasks\.jsonl?(?:\.gz)?$/i.test(path.basename(file));
  const folders =
    options.databaseFolder === undefined
      ? (isLines ? DATABASE_FOLDERS.toReversed() : DATABASE_FOLDERS).map((name) => path.join(root, name))
      : [options.databaseFolder];
  const collector = collectQuestions({ root, file, format, name: nameOf(root, format) }, (id, question) =>
    findSpider2Database(id, question.category, root, folders, options),
  );
  const gold = await (isLines ? readSpider2Lines : readSpider2Official)(found, set, collector);
  const documents = new Map<string, string>();
  const ids = new Set<string>();
  let broken = 0;
  for await (const row of readRows(file)) {
    const task = collector.read(row, spider2Task, 'task of Spider 2.0');
    if (task?.set !== undefined && task.set !== set) continue;
    if (task === undefined) {
      broken += 1;
      continue;
    }
    ids.add(task.id);
    const question = await questionOf(task, set, row.line, gold, documents, collector);
    if (question !== undefined) collector.add(question);
  }
  gold.reportUnused?.(ids);
  return collector.finish({
    documents: Object.fromEntries(documents),
    official: { metric: 'spider2', tasks: ids.size + broken },
  });
}

async function questionOf(
  task: Spider2Task,
  set: Spider2Set,
  line: number,
  gold: Spider2Gold,
  documents: Map<string, string>,
  collector: QuestionCollector,
): Promise<DatasetQuestion | undefined> {
  const { id } = task;
  const rule = gold.ruleOf(task);
  if (rule === undefined) {
    collector.reject({ line, id, message: `Line ${line}: the evaluator has no rule for ${id} that can be read.` });
    return undefined;
  }
  const { results, files } = await gold.resultsOf(task);
  if (task.document !== undefined && !documents.has(task.document)) {
    const text = await gold.documentOf(task.document);
    if (text !== undefined) documents.set(task.document, text);
  }
  const hasDocument = task.document !== undefined && documents.has(task.document);
  if (task.document !== undefined && !hasDocument) {
    const message = `Line ${line}: ${id} needs the document ${task.document}, which is not there; without it, its question cannot be answered.`;
    collector.reject({ line, id, message });
    return undefined;
  }
  return {
    id,
    databaseId: task.database,
    question: task.question,
    goldSql: gold.sqlOf(task),
    ...(results.length === 0 ? {} : { goldResults: results }),
    official: {
      benchmark: 'spider2',
      conditionColumns: countedColumns(rule.conditionColumns, files, set),
      ignoreOrder: rule.ignoreOrder,
      files: files.length,
    },
    ...(hasDocument ? { documents: [task.document ?? ''] } : {}),
    category: dialectOf(id, set),
    difficulty: rule.difficulty ?? 'unknown',
    orderMatters: !rule.ignoreOrder,
    features: rule.isTemporal ? ['temporal'] : [],
    line,
  };
}

/**
 * The condition columns as the evaluator takes them: with a letter in the name of a file, its list holds one entry for
 * each file. Where a single file has a letter, the first number of a plain list is therefore the one column that counts;
 * and the evaluator of Lite takes 0 for no condition, so that all columns count.
 */
function countedColumns(
  columns: Spider2Rule['conditionColumns'],
  files: readonly string[],
  set: Spider2Set,
): Spider2Rule['conditionColumns'] {
  const [first] = columns;
  const isLettered = files.length === 1 && /_[a-z]\.csv$/.test(files[0] ?? '');
  if (!isLettered || first === undefined) return columns;
  if (typeof first !== 'number') return first;
  return first === 0 && set === 'lite' ? [] : [first];
}

/** By the beginning of the id, as the evaluator does it; Snow is all Snowflake. */
function dialectOf(id: string, set: Spider2Set): string {
  if (set === 'snow' || id.startsWith('sf')) return 'snowflake';
  return id.startsWith('local') ? 'sqlite' : 'bigquery';
}

function findSpider2Database(
  id: string,
  dialect: string,
  root: string,
  folders: readonly string[],
  options: DatabaseOptions,
): DatasetDatabase | string {
  const isElsewhere = options.databases === 'elsewhere' || !comesAsFile(dialect);
  return findDatabaseIn({ root: options.databaseFolder ?? root, folders, layout: 'loose', isElsewhere, dialect })(id);
}

/** The folder of the layout of lines may be called anything, and it holds both sets. */
function nameOf(root: string, format: string): string {
  const name = path.basename(root);
  return name.toLowerCase().includes(format) ? name : format;
}
