import {
  defineTask,
  GENERATE_SQL_TASK_ID,
  type GenerateSqlInput,
  type GenerateSqlOutput,
  generateSqlOutput,
  type Message,
  type Task,
} from '@askema/core';
import { DECLINING_RULES, NO_READINGS, READING_RULES, taskMessages } from '../../../prompts/prompt-sections.ts';

const JOB =
  'You turn the question into SQL. Your statement is run as it is, and its result is the answer: it must be exactly what was asked for.';

const CHANGE_RULE =
  'In a change, compare exactly. Where it could also hit rows that the request does not mean, say `needs_clarification`, and ask which ones are meant.';

/** The prompt of GenerateSQL. */
export const generateSqlTask: Task<GenerateSqlInput, GenerateSqlOutput> = defineTask({
  id: GENERATE_SQL_TASK_ID,
  version: 3,
  description: 'Writes SQL for a question about a database, or says why there is none.',
  render: (input: GenerateSqlInput): readonly Message[] =>
    taskMessages(input, {
      job: JOB,
      // Other readings are run, and a change is not.
      sections: [DECLINING_RULES, ...(input.allowWrite ? [CHANGE_RULE] : [READING_RULES, NO_READINGS])],
    }),
  output: generateSqlOutput,
});
