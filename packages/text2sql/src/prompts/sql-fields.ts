import { generateSqlOutput } from '@askema/core';
import * as z from 'zod';

const { outcome, sql, explanation, not_understood, other_readings } = generateSqlOutput.fields;

/** The fields of the generate task, for outputs that have others beside them. */
export const sqlFields = {
  outcome: z.enum(outcome.oneOf).describe(outcome.description),
  sql: z.string().describe(sql.description),
  explanation: z.string().describe(explanation.description),
  not_understood: z.array(z.string()).describe(not_understood.description),
};

const { meaning, sql: otherSql, likelihood } = other_readings.objects;

/** Further readings of a question, as the generate task has them. */
export const otherReadings = z
  .array(
    z.object({
      meaning: z.string().describe(meaning.description),
      sql: z.string().describe(otherSql.description),
      likelihood: z.enum(likelihood.oneOf).describe(likelihood.description),
    }),
  )
  .describe(other_readings.description);
