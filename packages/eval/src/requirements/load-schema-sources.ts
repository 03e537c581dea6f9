import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError } from '@askema/core';
import * as z from 'zod';
import type { DatasetProblem } from '../datasets/read/dataset.ts';
import { nothingUsable, readDatasetFile, readLine, repeatedId } from '../datasets/read/dataset-lines.ts';
import { fileWithin } from '../files/file-within.ts';
import { goldAnswer } from '../schemas/load-schema-dataset.ts';
import { sha256 } from '../sha256.ts';
import { readDdlSchema } from './read-ddl-schema.ts';
import type { Answer, ColumnTypes } from './schema-words.ts';

/** A schema for which a requirement is to be written. */
export interface SchemaSource {
  readonly id: string;
  readonly answer: Answer;
  readonly types: ColumnTypes;
}

/** Schemas, as `loadSchemaSources` reads them. */
export interface SchemaSources {
  readonly name: string;
  readonly sources: readonly SchemaSource[];
  readonly problems: readonly DatasetProblem[];
  /** SHA-256 over ids and schemas, in hexadecimal. */
  readonly fingerprint: string;
}

const sourceRow = z.object({
  id: z.string().trim().min(1),
  answer: goldAnswer,
  ddl: z.string().default(''),
});

/**
 * Reads schemas: a `.sql` file is one, named after the file; a `.json` or `.jsonl` file has one of RSchema's form a line
 * (`id`, `answer`, and `ddl` for the types); of a folder, all such files. DDL is read, never run.
 *
 * @throws AskemaError `DATASET_INVALID` when there is nothing that can be used.
 */
export async function loadSchemaSources(place: string): Promise<SchemaSources> {
  const sources: SchemaSource[] = [];
  const problems: DatasetProblem[] = [];
  const known = new Map<string, number>();
  const add = (source: SchemaSource, line: number): void => {
    const before = known.get(source.id);
    if (before !== undefined) problems.push(repeatedId(source.id, line, before));
    else if (Object.keys(source.answer).length === 0)
      problems.push({ line, id: source.id, message: `${source.id} has no table.` });
    else sources.push(source);
    known.set(source.id, before ?? line);
  };
  for (const file of await filesOf(path.resolve(place))) {
    const text = await readDatasetFile(
      file,
      file,
      `There is no ${file}: name a .sql, .json or .jsonl file, or a folder.`,
    );
    if (path.extname(file).toLowerCase() === '.sql') {
      const { answer, types, problems: unread } = readDdlSchema(text);
      const id = path.basename(file, path.extname(file));
      for (const message of unread) problems.push({ line: 1, id, message: `${id}: ${message}` });
      add({ id, answer, types }, 1);
      continue;
    }
    for (const [position, content] of text.split('\n').entries()) {
      if (content.trim() === '') continue;
      const read = readLine(sourceRow, content, position + 1, 'schema');
      if ('problem' in read) problems.push(read.problem);
      else add({ id: read.row.id, answer: read.row.answer, types: readDdlSchema(read.row.ddl).types }, position + 1);
    }
  }
  if (sources.length === 0) throw nothingUsable(place, problems);
  const content = sources.map(({ id, answer }) => ({ id, answer }));
  return {
    name: path.basename(path.resolve(place)),
    sources,
    problems,
    fingerprint: sha256(JSON.stringify(content)),
  };
}

const ENDINGS = ['.sql', '.json', '.jsonl'];

async function filesOf(place: string): Promise<readonly string[]> {
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    if (found === undefined || ENDINGS.includes(path.extname(place).toLowerCase())) return [place];
    throw new AskemaError('DATASET_INVALID', `${place} is no .sql, .json or .jsonl file, and no folder of them.`);
  }
  const names = (await readdir(place)).filter((name) => ENDINGS.includes(path.extname(name).toLowerCase())).sort();
  if (names.length === 0) throw new AskemaError('DATASET_INVALID', `${place} has no .sql, .json or .jsonl file.`);
  return names.map((name) => fileWithin(place, path.join(place, name)));
}
