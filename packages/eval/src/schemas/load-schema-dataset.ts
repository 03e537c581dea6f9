import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError } from '@askema/core';
import * as z from 'zod';
import { readGold } from './read-gold.ts';
import type { SchemaDataset, SchemaItem, SchemaRowProblem } from './schema-dataset.ts';

const FILE_NAME = 'requirements.jsonl';

const text = z.string().trim().min(1);

const goldTable = z.object({
  Attributes: z.array(z.string()),
  'Primary key': z.array(z.string()).default([]),
  'Foreign key': z.record(z.string(), z.record(z.string(), z.union([z.string(), z.array(z.string())]))).default({}),
});

/** A line of RSchema. `ddl` holds the types of `answer`. */
const row = z.object({
  id: text,
  question: text,
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
  const lines = (await readText(file)).replace(/^\uFEFF/, '').split('\n');
  for (const [position, content] of lines.entries()) {
    if (content.trim() === '') continue;
    const read = readRow(content, position + 1);
    const before = 'gold' in read ? lineOf.get(read.id) : undefined;
    if (!('gold' in read)) problems.push(read);
    else if (before !== undefined)
      problems.push({
        line: read.line,
        id: read.id,
        message: `Line ${read.line} repeats the id ${read.id} of line ${before}.`,
      });
    else {
      items.push(read);
      lineOf.set(read.id, read.line);
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

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new AskemaError(
      'DATASET_INVALID',
      missing
        ? `There is no ${file}. Requirements stand in a JSONL file, or in a folder with ${FILE_NAME} (one JSON object a line: id, question, answer, ddl).`
        : `${file} could not be read: ${(cause as Error).message}`,
      { cause },
    );
  }
}

function readRow(content: string, line: number): SchemaItem | SchemaRowProblem {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (error) {
    return { line, message: `Line ${line} is no JSON: ${(error as Error).message}` };
  }
  const parsed = row.safeParse(json);
  if (!parsed.success) {
    const id = (json as { id?: unknown } | null)?.id;
    const complaints = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the line'}: ${issue.message}`);
    return {
      line,
      ...(typeof id === 'string' ? { id } : {}),
      message: `Line ${line} is no requirement with a schema: ${complaints.join('; ')}`,
    };
  }
  const { id, question, answer, ddl, domain } = parsed.data;
  const { gold, defects } = readGold({ id, line, answer, ddl });
  return { id, requirement: question, gold, domain: typeof domain === 'string' ? [domain] : domain, defects, line };
}

function nothingUsable(file: string, problems: readonly SchemaRowProblem[]): AskemaError {
  const first = problems.slice(0, 3).map((problem) => problem.message);
  return new AskemaError(
    'DATASET_INVALID',
    problems.length === 0 ? `${file} is empty.` : `No line of ${file} can be used. ${first.join(' ')}`,
    { details: { problems } },
  );
}
