import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { DatasetProblem } from '../datasets/read/dataset.ts';
import { readLine } from '../datasets/read/dataset-lines.ts';
import { fileWithin } from '../files/file-within.ts';
import { replaceFile } from '../run/replace-file.ts';
import { type ReviewName, SAMPLE_STEPS, type SampleProgress, sampleContent, VERDICTS } from './requirement-sample.ts';

/** The name of the file in which a person reviews. */
export const REVIEW_FILE = 'reviews.jsonl';

const openReview = z.object({
  /** That of the step: a review that was done is not taken for the next one. */
  id: z.string(),
  sample: z.string(),
  review: z.enum(SAMPLE_STEPS),
  /** A person writes `accept` or `revise`; empty as long as nobody did. */
  verdict: z.union([z.enum(VERDICTS), z.literal('')]),
  remarks: z.string(),
  ...sampleContent.shape,
});

/** A review that a person did. */
export type DoneReview = z.infer<typeof openReview>;

/** A review that waits for a person. */
export interface OpenReview {
  readonly id: string;
  readonly sample: string;
  readonly review: ReviewName;
  readonly progress: SampleProgress;
  readonly findings: readonly string[];
}

/** The reviews of the file, with and without a verdict; none where there is no file. */
export async function readReviews(folder: string): Promise<{
  readonly reviews: ReadonlyMap<string, DoneReview>;
  /** Lines that a person left broken. */
  readonly problems: readonly DatasetProblem[];
}> {
  const file = fileWithin(folder, path.join(folder, REVIEW_FILE), 'JOURNAL_INVALID');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const reviews = new Map<string, DoneReview>();
  const problems: DatasetProblem[] = [];
  for (const [position, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue;
    const read = readLine(openReview, content, position + 1, 'review');
    if ('problem' in read) problems.push(read.problem);
    else reviews.set(read.row.id, read.row);
  }
  return { reviews, problems };
}

/** Writes the reviews that wait; what a person has written in one of them without a verdict stays. */
export async function writeReviews(
  folder: string,
  open: readonly OpenReview[],
  before: ReadonlyMap<string, DoneReview>,
): Promise<void> {
  const lines = open.map(({ id, sample, review, progress, findings }) => {
    const begun = before.get(id);
    const content = begun ?? progress.content;
    return JSON.stringify({
      id,
      sample,
      review,
      verdict: '',
      remarks: begun?.remarks ?? '',
      requirement: content?.requirement,
      domain: content?.domain,
      answer: content?.answer,
      findings,
      opinions: progress.opinions,
    });
  });
  await replaceFile(path.join(folder, REVIEW_FILE), lines.map((line) => `${line}\n`).join(''));
}
