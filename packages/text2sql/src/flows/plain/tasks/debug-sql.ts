import {
  defineTask,
  type ErrorClass,
  fence,
  type GenerateSqlInput,
  type Message,
  type PlainValue,
  plainOutput,
  type Task,
} from '@askema/core';
import { ERROR_ADVICE, nearNamesSections, taskMessages } from '../../../prompts/prompt-sections.ts';
import { DEBUG_SQL_TASK_ID } from '../../../steps/execute-sql.ts';

/** Why a statement failed, as far as a model can use it. */
interface DebugSqlFailure {
  readonly message: string;
  readonly errorClass?: ErrorClass | undefined;
  /** Names that exist and are nearest to the one that does not. */
  readonly nearestNames?: readonly string[] | undefined;
}

export interface DebugSqlInput extends GenerateSqlInput {
  /** The statement that failed. */
  readonly sql: string;
  readonly failure: DebugSqlFailure;
  /** What failed before it, oldest first. */
  readonly earlier: readonly { readonly sql: string; readonly message: string }[];
}

const debugSqlOutput = plainOutput({
  explanation: { description: 'One or two sentences: what was wrong, and what is different now.' },
  sql: { description: 'The corrected statement, whole, without a trailing semicolon.' },
});

export type DebugSqlOutput = PlainValue<typeof debugSqlOutput.fields>;

const JOB =
  'You correct SQL. The statement below was written to answer the question below, and the database refused it or failed. Find the cause, check every name against the schema, and write the whole statement anew so that it runs and still answers exactly what was asked for.';

/** The prompt of DebugSQL: as that of GenerateSQL, with the failed statement and its error in front of the question. */
export const debugSqlTask: Task<DebugSqlInput, DebugSqlOutput> = defineTask({
  id: DEBUG_SQL_TASK_ID,
  version: 2,
  description: 'Corrects SQL that failed.',
  render: (input: DebugSqlInput): readonly Message[] =>
    taskMessages(input, { job: JOB, sections: failureSections(input) }),
  output: debugSqlOutput,
});

function failureSections(input: DebugSqlInput): readonly string[] {
  const { failure } = input;
  const sections = input.earlier.map(
    ({ sql, message }) => `Tried before:\n${fence('statement', sql)}\n${fence('error', message)}`,
  );
  sections.push(`The statement that failed:\n${fence('statement', input.sql)}`);
  sections.push(`Its error:\n${fence('error', failure.message)}`);
  const advice = failure.errorClass === undefined ? undefined : ERROR_ADVICE[failure.errorClass];
  if (advice !== undefined) sections.push(advice);
  return [...sections, ...nearNamesSections(failure.nearestNames)];
}
