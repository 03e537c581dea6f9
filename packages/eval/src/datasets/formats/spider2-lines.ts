import { existsSync } from 'node:fs';
import path from 'node:path';
import type * as z from 'zod';
import type { GoldResult } from '../dataset.ts';
import type { QuestionCollector } from '../question-collector.ts';
import { type DatasetRow, readRows } from '../read/read-rows.ts';
import type { Spider2Gold, Spider2Layout } from './spider2.ts';
import { spider2Document, spider2GoldResult, spider2GoldSql, spider2Rule } from './spider2-forms.ts';

/**
 * Lines beside `tasks.jsonl`, which holds the rules of the evaluator as well: `gold-sql.jsonl` (instance_id, set, sql), `gold-results.jsonl`
 * (instance_id, file, csv; named by `gold_id` and `gold_files` of the task) and `documents.jsonl` (name, text, text_snow where Snow
 * has another). Each may be absent, or gzip with `.gz` behind its name.
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
      return { results: found, files: files.length };
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
  for await (const row of readRows(file)) {
    const read = collector.read(named(row, name), form, `row of ${name}`);
    if (read !== undefined) take(read, row.line);
  }
}

function named(row: DatasetRow, name: string): DatasetRow {
  return 'problem' in row ? { ...row, problem: `of ${name} ${row.problem}` } : row;
}
