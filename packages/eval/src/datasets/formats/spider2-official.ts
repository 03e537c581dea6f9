import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { GoldResult } from '../dataset.ts';
import { entriesOf } from '../find-database.ts';
import type { QuestionCollector } from '../question-collector.ts';
import { readRows } from '../read/read-rows.ts';
import { MAX_RECORD_BYTES } from '../read/record-text.ts';
import type { Spider2Gold, Spider2Layout } from './spider2.ts';
import { type Spider2Rule, spider2Rule } from './spider2-forms.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The folder `spider2-lite` or `spider2-snow` of the official repository: `evaluation_suite/gold` with `spider2lite_eval.jsonl` (or
 * `spider2snow_eval.jsonl`), `sql/<id>.sql` and `exec_result/<id>.csv`, or else `<id>_a.csv` and so on, of which any is right;
 * `resource/documents`.
 */
export const readSpider2Official: Spider2Layout = async ({ root }, set, collector) => {
  const goldFolder = path.join(root, 'evaluation_suite', 'gold');
  const rules = await readRules(goldFolder, [`spider2${set}_eval.jsonl`, `spider2-${set}_eval.jsonl`], collector);
  const resultFolder = path.join(goldFolder, 'exec_result');
  const resultNames = new Set(entriesOf(resultFolder));
  const sqlFolder = path.join(goldFolder, 'sql');
  const statements = new Map<string, string>();
  for (const name of entriesOf(sqlFolder)) {
    if (!name.endsWith('.sql')) continue;
    const text = await readSmall(path.join(sqlFolder, name), collector);
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
        const csv = await readSmall(path.join(resultFolder, file), collector);
        if (csv !== undefined) results.push({ file, position, csv });
      }
      return { results, files: files.length };
    },
    ruleOf: ({ id }) => rules.get(id),
    async documentOf(name) {
      const file = documentFolders.map((folder) => path.join(folder, name)).find((entry) => existsSync(entry));
      return file === undefined ? undefined : readSmall(file, collector);
    },
  };
  return gold;
};

async function readRules(
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
  for await (const row of readRows(file)) {
    const read = collector.read(row, form, `rule of ${path.basename(file)}`);
    if (read !== undefined) rules.set(read.instance_id, read);
  }
  return rules;
}

/** A text of a moderate size; a larger one, or one that cannot be read, is a problem. */
async function readSmall(file: string, collector: QuestionCollector): Promise<string | undefined> {
  try {
    const { size } = await stat(file);
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
