import { defineTask, fence, type Message, type Task } from '@askema/core';
import * as z from 'zod';
import { onOneLine } from '../../../prompts/cut-text.ts';
import { type PromptInput, taskMessages } from '../../../prompts/prompt-sections.ts';

const CONNECT_CONDITIONS_TASK_ID = 'text2sql.connect-conditions';

/** A clause whose conditions stand side by side, without a word about how they are connected. */
export interface LooseClause {
  /** Its number in the prompt, from 1. */
  readonly number: number;
  readonly clause: 'WHERE' | 'HAVING';
  /** The sub-question that it answers; undefined for the question itself. */
  readonly question?: string | undefined;
  /** Each with its number, as SQL text. */
  readonly conditions: readonly { readonly number: number; readonly text: string }[];
}

export interface ConnectConditionsInput extends PromptInput {
  readonly clauses: readonly LooseClause[];
}

const connectConditionsOutput = z.object({
  structures: z.array(
    z.object({
      clause: z.number().describe('The number of the clause.'),
      structure: z
        .string()
        .describe('The numbers of all its conditions, connected by AND and OR with brackets: 1 AND (2 OR 3).'),
    }),
  ),
});

export type ConnectConditionsOutput = z.infer<typeof connectConditionsOutput>;

const JOB =
  'The question was turned into the clauses of an SQL statement, and the conditions of some clauses stand side by side. Say how they are connected, so that the statement gives exactly what was asked for. Use each condition of a clause exactly once.';

/** The prompt that asks for AND and OR (Tool-SQL, section 2.3), only where several conditions have none. */
export const connectConditionsTask: Task<ConnectConditionsInput, ConnectConditionsOutput> = defineTask({
  id: CONNECT_CONDITIONS_TASK_ID,
  version: 2,
  description: 'Connects the conditions of a clause by AND and OR.',
  render: (input: ConnectConditionsInput): readonly Message[] =>
    taskMessages(input, { job: JOB, sections: input.clauses.map(clauseSection) }),
  output: connectConditionsOutput,
});

function clauseSection({ number, clause, question, conditions }: LooseClause): string {
  const lines = conditions.map((condition) => `${condition.number}: ${onOneLine(condition.text)}`);
  const part =
    question === undefined ? '' : `, of the part:\n${fence('sub-question', onOneLine(question))}\nIts conditions`;
  return `Clause ${number}, ${clause}${part}:\n${fence('conditions', lines.join('\n'))}`;
}
