import { existsSync } from 'node:fs';
import { AskemaError } from '@askema/core';
import * as z from 'zod';
import { readRows } from '../datasets/read/read-rows.ts';
import { word } from '../datasets/read/row-forms.ts';
import { writeNamedFile } from '../run/replace-file.ts';
import { MISMATCH_KINDS } from './vary-value.ts';

/** What a person decided of a changed question. */
export const REVIEW_STATES = ['proposed', 'accepted', 'rejected'] as const;

const item = z.object({
  state: z.enum(REVIEW_STATES),
  id: word,
  question: word,
  mismatch: z.object({
    kind: z.enum(MISMATCH_KINDS),
    /** As the database has it, and as the question says it now. */
    stored: word,
    surface: word,
    /** Relation and column. */
    column: word,
    orig_question: word,
  }),
  db_id: word,
  gold_sql: word,
  difficulty: word,
  order_matters: z.boolean(),
});

/** A changed question, as a line of `review.jsonl`: what a person reads comes first. */
export type ReviewItem = z.infer<typeof item>;

/**
 * The lines of a review file; none where there is none.
 *
 * @throws AskemaError `DATASET_INVALID` for a line that is none, with its number.
 */
export async function readReview(file: string): Promise<readonly ReviewItem[]> {
  if (!existsSync(file)) return [];
  const items: ReviewItem[] = [];
  for await (const row of readRows(file, { notation: 'lines' })) {
    const read = item.safeParse('value' in row ? row.value : undefined);
    if (!read.success) {
      const why = 'value' in row ? z.prettifyError(read.error).split('\n').join(' ') : 'it is no JSON';
      throw new AskemaError(
        'DATASET_INVALID',
        `Line ${row.line} of ${file} cannot be used: ${why}. Correct or delete it.`,
      );
    }
    items.push(read.data);
  }
  return items;
}

/** Writes the file whole. @throws AskemaError `INPUT_INVALID` where it cannot be written. */
export function writeReview(file: string, items: readonly ReviewItem[]): Promise<void> {
  return writeNamedFile(file, items.map((one) => `${JSON.stringify(one)}\n`).join(''), 'The review file');
}
