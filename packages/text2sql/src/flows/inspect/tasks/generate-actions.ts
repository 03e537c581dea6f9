import { defineTask, type Message, type Task } from '@askema/core';
import * as z from 'zod';
import { EXPAND, mayExpand } from '../../../prompts/expand-schema.ts';
import { NO_READINGS, type PromptInput, READING_RULES, taskMessages } from '../../../prompts/prompt-sections.ts';
import { takenLoosely } from '../../../prompts/taken-loosely.ts';
import { clauseActionsOutput } from '../clauses/action-schemas.ts';
import type { AskSubQuestion } from '../clauses/clause-action.ts';
import { type ActionForm, actionSections } from './action-rules.ts';

export const GENERATE_ACTIONS_TASK_ID = 'text2sql.generate-actions';

export interface GenerateActionsInput extends PromptInput {
  readonly form: ActionForm;
  /** Of a sub-question: what its answer is used for. */
  readonly use?: AskSubQuestion['use'] | undefined;
  /** False where no further sub-question may be asked. */
  readonly maySplit: boolean;
}

/** What stands before the actions. */
export const beforeActions = {
  thinking: z.string(),
  outcome: z.enum(['actions', 'needs_clarification', 'unanswerable']),
};

/** What stands behind them. */
export const behindActions = {
  explanation: z.string(),
  not_understood: z.array(z.string()),
};

/** Further readings of the question, each as a whole statement; the prompt says what stands in them. */
export const readingsOutput = z.array(
  z.object({ meaning: z.string(), sql: z.string(), likelihood: z.enum(['equal', 'lower']) }),
);

const looseActions = { actions: z.array(z.unknown()) };

/** The form that is taken; vendors are asked for the stricter one of `clauseActionsOutput`. */
export const generateActionsOutput = z.object({
  ...beforeActions,
  ...looseActions,
  ...behindActions,
  other_readings: readingsOutput.default([]),
});

const strictOutput = z.object({
  ...beforeActions,
  ...clauseActionsOutput.shape,
  ...behindActions,
  other_readings: readingsOutput,
});

export type GenerateActionsOutput = z.infer<typeof generateActionsOutput>;

const JOB =
  'You turn the question into SQL, clause by clause. Your actions are assembled to one statement, its result is the answer: it must be exactly what was asked for.';

/** The prompt of the first sequence of actions (Tool-SQL, section 2.1). */
export const generateActionsTask: Task<GenerateActionsInput, GenerateActionsOutput> = defineTask({
  id: GENERATE_ACTIONS_TASK_ID,
  version: 4,
  description: 'Answers a question about a database with a sequence of clause actions.',
  render: (input: GenerateActionsInput): readonly Message[] =>
    taskMessages(input, {
      shared: actionSections(input.form),
      job: JOB,
      sections: [...thinkingSections(input), ...readingSections(input), ...useSections(input), ...splitSections(input)],
    }),
  output: takenLoosely(strictOutput, generateActionsOutput),
});

const looseOfPart = generateActionsOutput.extend({ expand: z.array(z.string()).default([]) });

/** The task for a schema of which something was left out: the model may ask to see more of it first. */
export function actionsOfPart(
  task: typeof generateActionsTask,
): Task<GenerateActionsInput, z.infer<typeof looseOfPart>> {
  const asked = strictOutput.extend({ expand: z.array(z.string()).describe(EXPAND) });
  return {
    ...task,
    id: `${GENERATE_ACTIONS_TASK_ID}-of-part`,
    render: (input) => mayExpand(task.render(input)),
    output: takenLoosely(asked, looseOfPart),
  };
}

function thinkingSections({ form }: Pick<GenerateActionsInput, 'form'>): readonly string[] {
  if (form === 'tools') return [];
  return ['Say first in `thinking`: what one row stands for, which joins, which conditions.'];
}

/** The rules speak of `sql`, which is what the actions make here. Readings are those of the whole question. */
const READINGS = `${READING_RULES.replaceAll('`sql`', 'your sequence')}\n\nEach of \`other_readings\` is a whole SQL statement. ${NO_READINGS}`;

function readingSections({ form, use }: GenerateActionsInput): readonly string[] {
  if (use === undefined) return [READINGS];
  return form === 'tools' ? [] : ['Leave `other_readings` empty.'];
}

const USES: Readonly<Record<AskSubQuestion['use'], string>> = {
  value: 'The answer is used as a single value: one column, and one row unless the question cannot have one.',
  list: 'The answer is used as a list: one column.',
  rows: 'The answer is used as a relation: name every column, by an alias where it is no plain column.',
};

/** What a sequence is for, where it answers a sub-question. */
export function useSections({ use }: Pick<GenerateActionsInput, 'use'>): readonly string[] {
  return use === undefined ? [] : [`This question is part of another one. ${USES[use]}`];
}

/** Says that no further sub-question is answered. */
export function splitSections({ maySplit }: Pick<GenerateActionsInput, 'maySplit'>): readonly string[] {
  return maySplit ? [] : ['Ask no sub-question: none is answered here.'];
}
