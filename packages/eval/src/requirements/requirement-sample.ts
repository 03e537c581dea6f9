import * as z from 'zod';
import { goldAnswer } from '../schemas/load-schema-dataset.ts';

/**
 * What is done with a sample, in this order: a text is written, an annotator refines it (SchemaAgent, section 3.2),
 * another one reviews it (3.3), and at the end an annotator and an expert do (3.4).
 */
export const SAMPLE_STEPS = ['write', 'refine', 'cross', 'annotator', 'expert'] as const;

/** A step of {@link SAMPLE_STEPS}. */
export type SampleStepName = (typeof SAMPLE_STEPS)[number];

/** The reviews that a person or a model does. */
export type ReviewName = Exclude<SampleStepName, 'write'>;

/** How a review ends: `revise` sends it back to refinement, or, at the end, out of the data set. */
export const VERDICTS = ['accept', 'revise'] as const;

/** The requirement and its schema, in the form of RSchema. */
export const sampleContent = z.object({
  requirement: z.string().trim().min(1),
  answer: goldAnswer,
  domain: z.array(z.string()).default([]),
});

/** What a step leaves behind. */
export type SampleContent = z.infer<typeof sampleContent>;

/** A finished step: one line of `results.jsonl`. */
export const sampleStep = z.object({
  schemaVersion: z.literal(1),
  /** The sample and the position of the step in it, from 1: `library/2`. */
  id: z.string(),
  sample: z.string(),
  step: z.enum(SAMPLE_STEPS),
  /** The label of a model, or `person`. */
  by: z.string(),
  /** What `write` and `refine` made. */
  content: sampleContent.optional(),
  verdict: z.enum(VERDICTS).optional(),
  /** What speaks for and against it. */
  remarks: z.string(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  calls: z.number(),
  finishedAt: z.string(),
});

/** A step that is done. */
export type SampleStep = z.infer<typeof sampleStep>;

/**
 * Where a sample stands: `raw` without a text, `primary` with one, `refined`, `reviewed` when cross review is over, and
 * at the end `accepted` or `deleted`.
 */
export type SampleState = 'raw' | 'primary' | 'refined' | 'reviewed' | 'accepted' | 'deleted';

/** What the steps of a sample come to. */
export interface SampleProgress {
  readonly state: SampleState;
  /** The next step; undefined at the end. */
  readonly next: SampleStepName | undefined;
  readonly content: SampleContent | undefined;
  /** Remarks of all reviews, oldest first: the record that the last reviewers read (section 3.3). */
  readonly opinions: readonly { readonly step: SampleStepName; readonly verdict: string; readonly remarks: string }[];
  /** Both reviewers of the end said the same. */
  readonly agreed: boolean;
}

/** Rounds of refinement and cross review; then the last reviewers decide over what is still disputed. */
const MAX_CROSS_REVIEWS = 3;

/**
 * Adds the steps of a sample up. The paper lets a sample in where both of the last reviewers accept it, and has the
 * expert decide where they differ: so the expert's verdict is the last word either way (section 3.4).
 */
export function sampleProgress(steps: readonly SampleStep[]): SampleProgress {
  const last = steps.at(-1);
  const content = steps.findLast((step) => step.content !== undefined)?.content;
  const opinions = steps.flatMap(({ step, verdict, remarks }) =>
    step === 'write' || remarks === '' ? [] : [{ step, verdict: verdict ?? '', remarks }],
  );
  const crossReviews = steps.filter(({ step }) => step === 'cross').length;
  const annotator = steps.findLast(({ step }) => step === 'annotator');
  const at = (state: SampleState, next?: SampleStepName): SampleProgress => ({
    state,
    next,
    content,
    opinions,
    agreed: last?.step === 'expert' && annotator?.verdict === last.verdict,
  });
  switch (last?.step) {
    case undefined:
      return at('raw', 'write');
    case 'write':
      return at('primary', 'refine');
    case 'refine':
      return at('refined', 'cross');
    case 'cross':
      return last.verdict === 'revise' && crossReviews < MAX_CROSS_REVIEWS
        ? at('refined', 'refine')
        : at('reviewed', 'annotator');
    case 'annotator':
      return at('reviewed', 'expert');
    case 'expert':
      return at(last.verdict === 'accept' ? 'accepted' : 'deleted');
  }
}
