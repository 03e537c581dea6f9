import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { fileWithin } from '../../files/file-within.ts';
import type { GoldResult } from '../read/dataset.ts';
import type { FoundDataset } from '../read/dataset-format.ts';
import { databaseName, entriesOf } from '../read/find-database.ts';
import type { QuestionCollector } from '../read/question-collector.ts';
import { MAX_RECORD_BYTES } from '../read/read-chunks.ts';
import { type DatasetRow, readRows } from '../read/read-rows.ts';
import { optionalWord, word } from '../read/row-forms.ts';

export type Spider2Set = 'lite' | 'snow';

const plainId = databaseName;

/** A task; the two sets and the two layouts have other names for the same fields. */
export const spider2Task = z
  .object({
    instance_id: plainId,
    set: z.enum(['lite', 'snow']).optional(),
    db: databaseName.optional(),
    db_id: databaseName.optional(),
    question: optionalWord,
    instruction: optionalWord,
    external_knowledge: databaseName.nullish(),
    gold_id: plainId.optional(),
    gold_files: z.array(z.string()).optional(),
    condition_cols: z.unknown().optional(),
    ignore_order: z.unknown().optional(),
    temporal: z.unknown().optional(),
  })
  .transform((row, context) => {
    const question = row.question ?? row.instruction;
    const database = row.db ?? row.db_id;
    if (question === undefined) context.addIssue({ code: 'custom', path: ['question'], message: 'expected a text' });
    if (database === undefined) context.addIssue({ code: 'custom', path: ['db'], message: 'expected a name' });
    return {
      id: row.instance_id,
      set: row.set,
      question: question ?? '',
      database: database ?? '',
      document: row.external_knowledge ?? undefined,
      goldId: row.gold_id ?? row.instance_id,
      goldFiles: row.gold_files,
      row,
    };
  });

export type Spider2Task = z.infer<typeof spider2Task>;

export interface Spider2Rule {
  readonly conditionColumns: readonly number[] | readonly (readonly number[])[];
  readonly ignoreOrder: boolean;
  /** The gold statement gives another answer with time. */
  readonly isTemporal: boolean;
  /** By the tokens of the gold SQL, where they are said: below 80, below 160, above (Lei et al. 2024). */
  readonly difficulty?: string | undefined;
}

const column = z.int().min(0);
const yes = z.union([z.boolean(), z.string().transform((text) => /^(?:yes|true)$/i.test(text.trim()))]).nullish();

/** How the evaluator judges a task. `[[]]`, `[null]` and null are no condition, as in the evaluator. */
const spider2Rule = z
  .object({
    condition_cols: z
      .union([
        z.array(column),
        z.array(z.null()).transform(() => []),
        z.array(z.array(column)).transform((lists) => (lists.every((list) => list.length === 0) ? [] : lists)),
        z.null().transform(() => []),
      ])
      .default([]),
    ignore_order: yes,
    temporal: yes,
    toks: z.union([z.number(), z.string().transform(Number)]).optional(),
  })
  .transform((row): Spider2Rule => {
    const tokens = row.toks;
    const difficulty =
      tokens === undefined || !(tokens >= 0) ? undefined : tokens < 80 ? 'easy' : tokens < 160 ? 'medium' : 'hard';
    return {
      conditionColumns: row.condition_cols,
      ignoreOrder: row.ignore_order ?? false,
      isTemporal: row.temporal ?? false,
      ...(difficulty === undefined ? {} : { difficulty }),
    };
  });

const spider2GoldSql = z.object({
  instance_id: word,
  set: z.enum(['lite', 'snow']).optional(),
  sql: word,
});

const spider2GoldResult = z.object({ instance_id: word, file: word, csv: z.string() });

const spider2Document = z.object({ name: word, text: z.string(), text_snow: z.string().optional() });

/** What belongs to the tasks, wherever a layout keeps it. */
export interface Spider2Gold {
  sqlOf(task: Spider2Task): readonly string[];
  /** The accepted results that are there, and the names of all, also of those that are not. */
  resultsOf(task: Spider2Task): Promise<{ readonly results: readonly GoldResult[]; readonly files: readonly string[] }>;
  ruleOf(task: Spider2Task): Spider2Rule | undefined;
  /** The text of a document; undefined where there is none. */
  documentOf(name: string): Promise<string | undefined>;
  /** Called once all tasks were read: what belongs to none of them is reported. */
  reportUnused?(ids: ReadonlySet<string>): void;
}

/** Reads the gold of one layout; what is broken in it goes to `collector`. */
type Spider2Layout = (found: FoundDataset, set: Spider2Set, collector: QuestionCollector) => Promise<Spider2Gold>;

/**
 * Lines beside `tasks.jsonl`, which holds the rules of the evaluator as well: `gold-sql.jsonl` (instance_id, set, sql),
 * `gold-results.jsonl` (instance_id, file, csv; named by `gold_id` and `gold_files` of the task) and `documents.jsonl`
 * (name, text, text_snow where Snow has another). Each may be absent, or gzip with `.gz` behind its name.
 */
export const readSpider2Lines: Spider2Layout = async ({ root }, set, collector) => {
  const sql = new Map<string, { readonly line: number; readonly statements: string[] }>();
  await eachRow(root, 'gold-sql.jsonl', spider2GoldSql, collector, (row, line) => {
    if (row.set !== undefined && row.set !== set) return;
    const known = sql.get(row.instance_id);
    if (known === undefined) sql.set(row.instance_id, { line, statements: [row.sql] });
    else known.statements.push(row.sql);
  });
  const results = new Map<string, Map<string, string>>();
  await eachRow(root, 'gold-results.jsonl', spider2GoldResult, collector, (row) => {
    const files = results.get(row.instance_id) ?? new Map<string, string>();
    results.set(row.instance_id, files.set(row.file, row.csv));
  });
  const documents = new Map<string, string>();
  await eachRow(root, 'documents.jsonl', spider2Document, collector, (row) => {
    documents.set(row.name, set === 'snow' ? (row.text_snow ?? row.text) : row.text);
  });
  const gold: Spider2Gold = {
    sqlOf: ({ id }) => sql.get(id)?.statements ?? [],
    async resultsOf({ goldId, goldFiles }) {
      const there = results.get(goldId);
      const files = goldFiles ?? [...(there?.keys() ?? [])];
      const found = files.flatMap((file, position): readonly GoldResult[] => {
        const csv = there?.get(file);
        return csv === undefined ? [] : [{ file, position, csv }];
      });
      return { results: found, files };
    },
    ruleOf({ row }) {
      const parsed = spider2Rule.safeParse(row);
      return parsed.success ? parsed.data : undefined;
    },
    documentOf: async (name) => documents.get(name),
    reportUnused(ids) {
      for (const [id, { line }] of sql) {
        if (ids.has(id)) continue;
        collector.reject({ line, id, message: `Line ${line} of gold-sql.jsonl is for ${id}, which is no task.` });
      }
    },
  };
  return gold;
};

/** The rows of a file that may be absent; problems name the file, since their lines are not those of the tasks. */
async function eachRow<Row>(
  root: string,
  name: string,
  form: z.ZodType<Row>,
  collector: QuestionCollector,
  take: (row: Row, line: number) => void,
): Promise<void> {
  const file = [name, `${name}.gz`].map((entry) => path.join(root, entry)).find((entry) => existsSync(entry));
  if (file === undefined) return;
  for await (const row of readRows(fileWithin(root, file))) {
    const read = collector.read(named(row, name), form, `row of ${name}`);
    if (read !== undefined) take(read, row.line);
  }
}

function named(row: DatasetRow, name: string): DatasetRow {
  return 'problem' in row ? { ...row, problem: `of ${name} ${row.problem}` } : row;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The folder `spider2-lite` or `spider2-snow` of the official repository: `evaluation_suite/gold` with
 * `spider2lite_eval.jsonl` (or `spider2snow_eval.jsonl`), `sql/<id>.sql` and `exec_result/<id>.csv`, or else
 * `<id>_a.csv` and so on, of which any is right; `resource/documents`.
 */
export const readSpider2Official: Spider2Layout = async ({ root }, set, collector) => {
  const goldFolder = path.join(root, 'evaluation_suite', 'gold');
  const rules = await readRules(root, goldFolder, [`spider2${set}_eval.jsonl`, `spider2-${set}_eval.jsonl`], collector);
  const resultFolder = path.join(goldFolder, 'exec_result');
  const resultNames = new Set(entriesOf(resultFolder));
  const sqlFolder = path.join(goldFolder, 'sql');
  const statements = new Map<string, string>();
  for (const name of entriesOf(sqlFolder)) {
    if (!name.endsWith('.sql')) continue;
    const text = await readSmall(root, path.join(sqlFolder, name), collector);
    if (text !== undefined && text.trim() !== '') statements.set(name.slice(0, -'.sql'.length), text.trim());
  }
  const documentFolders = ['resource/documents', '../spider2-lite/resource/documents'].map((name) =>
    path.join(root, name),
  );
  const gold: Spider2Gold = {
    sqlOf({ id }) {
      const text = statements.get(id);
      return text === undefined ? [] : [text];
    },
    async resultsOf({ id }) {
      const single = `${id}.csv`;
      const several = [...LETTERS].map((letter) => `${id}_${letter}.csv`).filter((name) => resultNames.has(name));
      const files = resultNames.has(single) ? [single] : several;
      const results: GoldResult[] = [];
      for (const [position, file] of files.entries()) {
        const csv = await readSmall(root, path.join(resultFolder, file), collector);
        if (csv !== undefined) results.push({ file, position, csv });
      }
      return { results, files };
    },
    ruleOf: ({ id }) => rules.get(id),
    async documentOf(name) {
      const file = documentFolders.map((folder) => path.join(folder, name)).find((entry) => existsSync(entry));
      return file === undefined ? undefined : readSmall(path.dirname(root), file, collector);
    },
  };
  return gold;
};

async function readRules(
  root: string,
  folder: string,
  names: readonly string[],
  collector: QuestionCollector,
): Promise<ReadonlyMap<string, Spider2Rule>> {
  const rules = new Map<string, Spider2Rule>();
  const file = names.map((name) => path.join(folder, name)).find((entry) => existsSync(entry));
  if (file === undefined) {
    collector.reject({
      line: 0,
      message: `There is no ${path.join(folder, names[0] ?? '')}, which says how results are judged.`,
    });
    return rules;
  }
  const form = z.intersection(z.object({ instance_id: z.string() }), spider2Rule);
  for await (const row of readRows(fileWithin(root, file))) {
    const read = collector.read(row, form, `rule of ${path.basename(file)}`);
    if (read !== undefined) rules.set(read.instance_id, read);
  }
  return rules;
}

/** A text of a moderate size; a larger one, or one that cannot be read, is a problem. */
async function readSmall(root: string, file: string, collector: QuestionCollector): Promise<string | undefined> {
  try {
    const { size } = await stat(fileWithin(root, file));
    if (size <= MAX_RECORD_BYTES) return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
    collector.reject({
      line: 0,
      message: `${file} is ${size} bytes long, more than the ${MAX_RECORD_BYTES} that are read.`,
    });
  } catch (error) {
    collector.reject({ line: 0, message: `${file} could not be read: ${(error as Error).message}` });
  }
  return undefined;
}
