import {
  type GenerateSqlInput,
  generateSqlOutput,
  type Message,
  type PlainValue,
  plainOutput,
  type Task,
  userMessage,
} from '@askema/core';
import type { generateSqlTask } from './generate-sql.ts';

export const GENERATE_OF_PART_TASK_ID = 'text2sql.generate-sql-of-part';

const output = plainOutput({
  ...generateSqlOutput.fields,
  expand: {
    isList: true,
    description:
      'Up to five relations, by name, that have to be seen in full before the statement can be written; outcome is sql then, and sql is empty. Usually empty.',
  },
});

const MAY_EXPAND =
  'The schema above is not whole: some relations are only named, or lack columns. Where the statement cannot be written without seeing one of them in full, name it in `expand`: you are shown it, and asked again.';

/** The task for a schema of which something was left out: the model may ask to see more of it first. */
export function generateOfPart(task: typeof generateSqlTask): Task<GenerateSqlInput, PlainValue<typeof output.fields>> {
  return {
    ...task,
    id: GENERATE_OF_PART_TASK_ID,
    render: (input): readonly Message[] => {
      const messages = task.render(input);
      const last = messages.at(-1);
      if (last?.role !== 'user') return [...messages, userMessage(MAY_EXPAND)];
      const content = [...last.content, { type: 'text' as const, text: `\n\n${MAY_EXPAND}` }];
      return [...messages.slice(0, -1), { role: 'user', content }];
    },
    output,
  };
}
