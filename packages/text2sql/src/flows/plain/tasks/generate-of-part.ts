import { type GenerateSqlInput, generateSqlOutput, type PlainValue, plainOutput, type Task } from '@askema/core';
import { EXPAND, mayExpand } from '../../../prompts/expand-schema.ts';
import type { generateSqlTask } from './generate-sql.ts';

export const GENERATE_OF_PART_TASK_ID = 'text2sql.generate-sql-of-part';

const output = plainOutput({ ...generateSqlOutput.fields, expand: { isList: true, description: EXPAND } });

/** The task for a schema of which something was left out: the model may ask to see more of it first. */
export function generateOfPart(task: typeof generateSqlTask): Task<GenerateSqlInput, PlainValue<typeof output.fields>> {
  return { ...task, id: GENERATE_OF_PART_TASK_ID, render: (input) => mayExpand(task.render(input)), output };
}
