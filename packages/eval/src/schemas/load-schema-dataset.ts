import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { nothingUsable, readDatasetFile, readLine, repeatedId } from '../datasets/dataset-lines.ts';
import { readGold } from './read-gold.ts';
import type { SchemaDataset, SchemaItem, SchemaRowProblem } from './schema-dataset.ts';

const FILE_NAME = 'requirements.jsonl';

const word = z.string().trim().min(1);

const goldTable = z.object({
  Attributes: z.array(z.string()),
  'Primary key': z.array(z.string()).default([]),
  'Foreign key': z.record(z.string(), z.record(z.string(), z.union([z.string(), z.array(z.string())]))).default({}),
});

/** A line of RSchema. `ddl` holds the types of `answer`. */
const row = z.object({
  id: word,
  question: word,
  answer: z.record(z.string(), goldTable),
  ddl: z.string().optional(),
  domain: z.union([z.string(), z.array(z.string())]).default([]),
});

/** A table of `answer`, as it stands in the file. */
export type GoldTable = z.infer<typeof goldTable>;

/**
 * Reads requirements with gold schemas as RSchema has them: a JSONL file, or a folder with `requirements.jsonl`. One object a line: `id`,
 * `question`, `answer` ({table: {Attributes, "Primary key", "Foreign key": {column: {table: column}}}}), optional `ddl` (which has the types)
 * and `domain`. Rows with defects are kept and the defects stand in the item; a line that is no such object stands in `problems`.
 *
 * @throws AskemaError `DATASET_INVALID` when there is no such file, or no line of it can be used.
 */
export async function loadSchemaDataset(place: string): Promise<SchemaDataset> {
  const file = await findFile(path.resolve(place));
  const items: SchemaItem[] = [];
  const problems: SchemaRowProblem[] = [];
  const lineOf = new Map<string, number>();
  const missing = `There is no ${file}. Requirements stand in a JSONL file, or in a folder with ${FILE_NAME} (one JSON object a line: id, question, answer, ddl).`;
  const text = await readDatasetFile(file, file, missing);
  for (const [position, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue;
    const line = position + 1;
    const read = readLine(row, content, line, 'requirement with a schema');
    const before = 'row' in read ? lineOf.get(read.row.id) : undefined;
    if ('problem' in read) problems.push(read.problem);
    else if (before !== undefined) problems.push(repeatedId(read.row.id, line, before));
    else {
      const { id, question, answer, ddl, domain } = read.row;
      const { gold, defects } = readGold({ id, line, answer, ddl });
      const domains = typeof domain === 'string' ? [domain] : domain;
      items.push({ id, requirement: question, gold, domain: domains, defects, line });
      lineOf.set(id, line);
    }
  }
  if (items.length === 0) throw nothingUsable(file, problems);
  const content = items.map(({ id, requirement, gold }) => ({ id, requirement, gold }));
  return {
    name: path.basename(path.basename(file) === FILE_NAME ? path.dirname(file) : file),
    file,
    items,
    problems,
    fingerprint: createHash('sha256').update(JSON.stringify(content)).digest('hex'),
  };
}

async function findFile(place: string): Promise<string> {
  const found = await stat(place).catch(() => undefined);
  return found?.isDirectory() === true ? path.join(place, FILE_NAME) : place;
}
