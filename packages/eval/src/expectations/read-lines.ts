import path from 'node:path';
import type * as z from 'zod';
import { nothingUsable, readDatasetFile, readLine } from '../datasets/read/dataset-lines.ts';
import type { Remark } from '../schemas/design-summary.ts';

/** The lines of a file that can be used. If an id has several, the last one counts. */
interface ReadLines<Line> {
  readonly lines: readonly Line[];
  readonly problems: readonly Remark[];
}

/**
 * Reads a file that `fillLines` wrote, without its lock.
 *
 * @throws AskemaError `DATASET_INVALID` where there is none, or no line of it can be used.
 */
export async function readLines<Line extends { readonly id: string }>(
  file: string,
  form: z.ZodType<Line>,
  { what, command }: { readonly what: string; readonly command: string },
): Promise<ReadLines<Line>> {
  const text = await readDatasetFile(file, file, `There is no ${file}: name the file that \`${command}\` wrote.`);
  const lines = new Map<string, Line>();
  const problems: { id: string; line: number; message: string }[] = [];
  for (const [position, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue;
    const read = readLine(form, content, position + 1, what);
    if ('row' in read) lines.set(read.row.id, read.row);
    else problems.push({ ...read.problem, id: path.basename(file) });
  }
  if (lines.size === 0) throw nothingUsable(file, problems);
  return { lines: [...lines.values()], problems: problems.map(({ id, message }) => ({ id, message })) };
}
