import {
  type Dialect,
  defineTask,
  GENERATE_SQL_TASK_ID,
  type GenerateSqlInput,
  type GenerateSqlOutput,
  generateSqlOutput,
  type Message,
  systemMessage,
  type Task,
  userMessage,
} from '@askema/core';
import { DECLINING_RULES, dataSections, questionLine, systemText } from '../../../prompts/prompt-sections.ts';
import { keepLatest } from '../../../question/keep-latest.ts';

/** For a few databases. */
const KEPT_SYSTEM_TEXTS = 4;

const JOB =
  'You turn a question about a database into SQL. Your statement is run as it is, and its result is the answer: it must be exactly what was asked for.';

/** As one text, which is put together once for all questions about one database. */
const systemOf = keepLatest(KEPT_SYSTEM_TEXTS, (dialect: Dialect, allowWrite: boolean) =>
  [systemText(dialect, allowWrite, JOB), DECLINING_RULES].join('\n\n'),
);

/** The prompt of GenerateSQL: rules and dialect, then schema, definitions, values, date, and the question last. */
export const generateSqlTask: Task<GenerateSqlInput, GenerateSqlOutput> = defineTask({
  id: GENERATE_SQL_TASK_ID,
  version: 1,
  description: 'Writes SQL for a question about a database, or says why there is none.',
  render: (input: GenerateSqlInput): readonly Message[] => [
    systemMessage(systemOf(input.dialect, input.allowWrite)),
    userMessage([...dataSections(input), questionLine(input.question)].join('\n\n')),
  ],
  output: generateSqlOutput,
});
