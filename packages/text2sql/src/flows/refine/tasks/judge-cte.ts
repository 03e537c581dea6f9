import { defineTask, fence, type Message, type Task } from '@askema/core';
import * as z from 'zod';
import type { CteProbe, LookedStep } from '../state/cte-work.ts';
import type { ResultDoubt } from '../state/refine-state.ts';
import { cteMessages, probeSections, type StepSectionsInput, stepSections } from './cte-sections.ts';
import { doubtSection, type RefinePromptInput } from './refine-sections.ts';

const JUDGE_CTE_TASK_ID = 'text2sql.judge-cte';

export interface JudgeCteInput extends RefinePromptInput, StepSectionsInput {
  readonly looked: Pick<LookedStep, 'figures' | 'view'>;
  /** True for the SELECT behind the CTEs: its result is the answer. */
  readonly isFinal: boolean;
  /** Of the answer: facts against it that were found without a model. */
  readonly doubts: readonly ResultDoubt[];
  readonly probes: readonly CteProbe[];
  /** How many statements it may still name to look further; 0 when it has to decide. */
  readonly maxProbes: number;
}

export const judgeCteOutput = z.object({
  thinking: z
    .string()
    .describe(
      'What this step should give by its name and purpose: what a row stands for, about how many, which values. Then what it does give.',
    ),
  verdict: z
    .enum(['right', 'wrong', 'look'])
    .describe(
      'right: the step gives what it should. wrong: it does not. look: it cannot be told without the results of `probes`.',
    ),
  problem: z.string().describe('What is wrong, in one or two sentences; empty when nothing is.'),
  cte: z
    .string()
    .describe('The name of the step whose text has to change: this one, or one that it reads; empty when none.'),
  body: z
    .string()
    .describe(
      'The whole new text of that step alone: what stands between its brackets, without name and AS. Empty unless wrong.',
    ),
  probes: z.array(z.string()).describe('Statements that read and would tell; empty unless the verdict is look.'),
});

export type JudgeCteOutput = z.infer<typeof judgeCteOutput>;

const JUDGE_STEP =
  'Judge this step alone: does it give what its name and purpose say? Look at the figures first: rows that repeat each other, or more rows than there are things of that kind, mostly come from a join along the wrong or an incomplete key; far too few rows from a condition or a join that loses them; NULL in every row from a join that finds nothing. Then look at the values. Steps behind it are judged later: what is still to be filtered, aggregated or sorted there is no fault here.';

const JUDGE_FINAL =
  'All steps before were looked at. Judge the answer: does this SELECT give exactly what the question asks for, in the expected format where one is given? If a step before it turns out to be the cause of a fault, name that step.';

/** The prompt that judges the result of one step (section 3.2.4: each result is validated alone). */
export const judgeCteTask: Task<JudgeCteInput, JudgeCteOutput> = defineTask({
  id: JUDGE_CTE_TASK_ID,
  version: 2,
  description: 'Judges what one CTE gives, and writes that CTE anew when it is wrong.',
  render: (input: JudgeCteInput): readonly Message[] =>
    cteMessages(input, [
      ...stepSections(input),
      `What it gives, counted over all rows:\n${fence('figures', input.looked.figures)}`,
      `Its first rows:\n${fence('result', input.looked.view)}`,
      ...doubtSection(input.doubts),
      ...probeSections(input.probes),
      input.isFinal ? JUDGE_FINAL : JUDGE_STEP,
      probing(input.maxProbes),
    ]),
  output: judgeCteOutput,
});

function probing(maxProbes: number): string {
  return maxProbes === 0
    ? 'Decide now: right or wrong.'
    : `If stored values, keys or other columns have to be seen first, answer \`look\` with up to ${maxProbes} statements; they read the relations of the schema, not the steps.`;
}
