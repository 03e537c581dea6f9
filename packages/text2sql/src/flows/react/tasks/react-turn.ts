import { defineTask, type Message, type Task, type ToolDefinition } from '@askema/core';
import * as z from 'zod';
import {
  DECLINING_RULES,
  NO_READINGS,
  type PromptInput,
  READING_RULES,
  taskMessages,
} from '../../../prompts/prompt-sections.ts';
import { otherReadings, sqlFields } from '../../../prompts/sql-fields.ts';
import { takenLoosely } from '../../../prompts/taken-loosely.ts';

const REACT_TURN_TASK_ID = 'text2sql.react-turn';

export const EXECUTE_SQL = 'execute_sql';
export const TERMINATE = 'terminate';

const JOB = `You answer the question. Look at the contents of the database with \`${EXECUTE_SQL}\` as far as you need: which values are stored, whether a query returns what it should. Then call \`${TERMINATE}\` with the final statement: it is run as it is, and its result is the answer, so it must be exactly what was asked for. Results that you are shown may be cut; the final one is not.`;

/** Arguments of `execute_sql`. */
export const executeSqlArguments = z.object({
  sql: z.string().describe('One statement that reads. It runs with a time limit; you see at most 100 rows.'),
});

const answerFields = z.object({ ...sqlFields, other_readings: otherReadings });

/** What may be left out. */
const loosely = { other_readings: otherReadings.default([]) };

/** Arguments of `terminate`: the answer as the generate task gives it. */
export const terminateArguments = answerFields.extend(loosely);

/** The tools of the agent, for models that have tools. */
export const REACT_TOOLS: readonly ToolDefinition[] = [
  {
    name: EXECUTE_SQL,
    description: 'Runs a statement that reads and shows the result.',
    parameters: jsonSchema(executeSqlArguments),
  },
  {
    name: TERMINATE,
    description: 'Ends with the final statement, or with the reason why there is none.',
    parameters: jsonSchema(answerFields),
  },
];

/** One turn of a model without tools: which of them it would call. */
const reactTurnOutput = z.object({
  thought: z.string().describe('What is known and what is missing, in a sentence or two.'),
  action: z.enum([EXECUTE_SQL, TERMINATE]),
  sql: z.string().describe('The statement to run, or the final one; empty when there is none.'),
  outcome: sqlFields.outcome,
  explanation: sqlFields.explanation,
  not_understood: sqlFields.not_understood,
  other_readings: otherReadings,
});

const takenTurn = reactTurnOutput.extend(loosely);

export type ReactTurnOutput = z.infer<typeof takenTurn>;

export interface ReactTurnInput {
  /** The conversation so far: the prompt, then answers of the model and results in turn. */
  readonly messages: readonly Message[];
}

/** A turn in text, for models that say they have no tools. */
export const reactTurnTask: Task<ReactTurnInput, ReactTurnOutput> = defineTask({
  id: REACT_TURN_TASK_ID,
  version: 3,
  description: 'Decides the next action of an agent that may run SQL.',
  render: ({ messages }: ReactTurnInput): readonly Message[] => messages,
  output: takenLoosely(reactTurnOutput, takenTurn),
});

/** How the conversation of the agent begins. */
export function reactPrompt(input: PromptInput): readonly Message[] {
  // Other readings are run, and a change is not.
  const readings = input.allowWrite ? [] : [READING_RULES, NO_READINGS];
  return taskMessages(input, { job: JOB, sections: [DECLINING_RULES, ...readings] });
}

function jsonSchema(schema: z.ZodType): ToolDefinition['parameters'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema);
  return rest as ToolDefinition['parameters'];
}
