import { generateSqlOutput } from '@askema/core';
import * as z from 'zod';

const { outcome, sql, explanation, not_understood } = generateSqlOutput.fields;

/** The fields of the generate task, for outputs that have others beside them. */
export const sqlFields = {
  outcome: z.enum(outcome.oneOf).describe(outcome.description),
  sql: z.string().describe(sql.description),
  explanation: z.string().describe(explanation.description),
  not_understood: z.array(z.string()).describe(not_understood.description),
};
