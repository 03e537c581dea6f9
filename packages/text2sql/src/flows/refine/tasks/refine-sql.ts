import { defineTask, type ErrorClass, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import { DECLINING_RULES, ERROR_ADVICE, questionLine, systemText } from '../../../prompts/prompt-sections.ts';
import { sqlFields } from '../../../prompts/sql-fields.ts';
import type { RefineAttempt } from '../state/refine-state.ts';
import { attemptSections, type RefinePromptInput, refineSections } from './refine-sections.ts';

export const REFINE_SQL_TASK_ID = 'text2sql.refine-sql';

export interface RefineSqlInput extends RefinePromptInput {
  /** How to go about it; empty where nothing is said. */
  readonly perspective: string;
  /** What was tried before, oldest first. */
  readonly attempts: readonly RefineAttempt[];
  /** True when the schema leaves relations out, and one may still be asked for. */
  readonly canExpand: boolean;
}

const refineSqlOutput = z.object({
  thinking: z
    .string()
    .describe(
      'A few sentences: what one row of the answer stands for, which relations and joins, which conditions with which stored values.',
    ),
  outcome: sqlFields.outcome,
  sql: sqlFields.sql,
  explanation: sqlFields.explanation,
  not_understood: sqlFields.not_understood,
  expand: z
    .array(z.string())
    .describe('Relations whose description has to be seen before the statement can be written; usually empty.'),
});

export type RefineSqlOutput = z.infer<typeof refineSqlOutput>;

const JOB =
  'You turn a question about a database into SQL. Your statement is run as it is, and its result is the answer: it must be exactly what was asked for. It is held against what others answer independently of you.';

/** What decides most often between a right and a nearly right statement. */
const CARE_RULES: readonly string[] = [
  'What was looked up in the database goes before what names suggest: spellings, codes, units, which of two similar columns is filled, whether a key is unique.',
  'Of two columns that could be meant, take the one whose name or comment is nearest to the words of the question, and that stands in the relation of the thing asked for; a column with the same words in another relation often means something else.',
  'Before joining, ask what a row stands for afterwards. A join along one-to-many repeats the rows of the one side: count DISTINCT keys, or aggregate before joining. Join no relation from which nothing is needed: it drops rows without a counterpart.',
  'Where the question asks for things, not for records, and a join or the data let the statement meet one thing several times, list it once.',
  'Where an expected format is given, it says what is shown: take each column from the relation that already holds it.',
  'When a tie at the extreme would change the answer and the question asks for one, order by the measure alone and take one row; when it asks for all that share it, compare with the extreme.',
  'Filter a group with HAVING, a row with WHERE. Where all or none is asked for, NOT EXISTS says it more safely than NOT IN.',
];

/** The rules that the prompts of a thread add to those of every flow. */
export function careText(): string {
  return ['What decides most often:', ...CARE_RULES].join('\n- ');
}

/** The prompt that writes a statement, and writes it anew after what was tried (Algorithm 2). */
export const refineSqlTask: Task<RefineSqlInput, RefineSqlOutput> = defineTask({
  id: REFINE_SQL_TASK_ID,
  version: 1,
  description: 'Writes SQL for a question, from schema, documents, expected format, probes and earlier attempts.',
  render: (input: RefineSqlInput): readonly Message[] => [
    systemMessage([systemText(input.dialect, false, JOB), careText(), DECLINING_RULES, EXPANDING_RULES].join('\n\n')),
    userMessage(
      [
        ...refineSections(input),
        ...attemptSections(input.attempts),
        ...lastErrorSections(input.attempts.at(-1)),
        ...(input.attempts.length === 0 ? [] : [AGAIN]),
        ...(input.canExpand ? [MAY_EXPAND] : []),
        ...(input.perspective === '' || input.attempts.length > 0 ? [] : [input.perspective]),
        questionLine(input.question),
      ].join('\n\n'),
    ),
  ],
  output: refineSqlOutput,
});

const EXPANDING_RULES =
  'Leave `expand` empty, unless the prompt says that the schema is incomplete: then name up to five relations that it mentions without describing them, if the statement cannot be written without them.';
const MAY_EXPAND = 'The schema above is incomplete: relations are left out. You may ask for some with `expand`.';
const AGAIN =
  'Find out why what was tried is not the answer, and write the whole statement anew. Do not repeat a statement that failed or was found wrong.';

function lastErrorSections(attempt: RefineAttempt | undefined): readonly string[] {
  const error = attempt?.error;
  if (error === undefined) return [];
  const errorClass: ErrorClass | undefined =
    error.details.errorClass ?? (error.code === 'QUERY_TIMEOUT' ? 'timeout' : undefined);
  const advice = errorClass === undefined ? undefined : ERROR_ADVICE[errorClass];
  const near = error.details.nearestNames ?? [];
  return [
    ...(advice === undefined ? [] : [advice]),
    ...(near.length === 0 ? [] : [`Names that exist and are near:\n${fence('names', near.join('\n'))}`]),
  ];
}
