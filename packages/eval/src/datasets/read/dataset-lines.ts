import { readFile } from 'node:fs/promises';
import { AskemaError } from '@askema/core';
import type * as z from 'zod';
import type { DatasetProblem } from './dataset.ts';

/**
 * The text of a file of a dataset, without a byte order mark. `name` is what messages call it, `missing` what is said
 * where it is not there.
 *
 * @throws AskemaError `DATASET_INVALID`
 */
export async function readDatasetFile(file: string, name: string, missing: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new AskemaError(
      'DATASET_INVALID',
      isMissing ? missing : `${name} could not be read: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** A line as a row of that form, or why it is none. `what` says what it should be: `question`. */
export function readLine<Row>(
  form: z.ZodType<Row>,
  content: string,
  line: number,
  what: string,
): { readonly row: Row } | { readonly problem: DatasetProblem } {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (error) {
    return { problem: { line, message: `Line ${line} is no JSON: ${(error as Error).message}` } };
  }
  const parsed = form.safeParse(json);
  if (parsed.success) return { row: parsed.data };
  const id = (json as { id?: unknown } | null)?.id;
  const complaints = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the line'}: ${issue.message}`);
  const message = `Line ${line} is no ${what}: ${complaints.join('; ')}`;
  return { problem: { line, ...(typeof id === 'string' ? { id } : {}), message } };
}

/** The problem of a line whose id stands in an earlier one, too. */
export function repeatedId(id: string, line: number, before: number): DatasetProblem {
  return { line, id, message: `Line ${line} repeats the id ${id} of line ${before}.` };
}

/**
 * The error of a file of which no line can be used; the problems of the first thousand stand in its details. `hint`:
 * what to do, behind a blank.
 */
export function nothingUsable(name: string, problems: readonly DatasetProblem[], hint = ''): AskemaError {
  const first = problems.slice(0, 3).map((problem) => problem.message);
  const rest = problems.length > 3 ? ` And ${problems.length - 3} more lines.` : '';
  return new AskemaError(
    'DATASET_INVALID',
    problems.length === 0 ? `${name} is empty.` : `No line of ${name} can be used. ${first.join(' ')}${rest}${hint}`,
    { details: { problems: problems.slice(0, 1000) } },
  );
}
