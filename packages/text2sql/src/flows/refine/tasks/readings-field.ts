import { generateSqlOutput } from '@askema/core';
import * as z from 'zod';

const { description, objects } = generateSqlOutput.fields.other_readings;

/** The field of the generate task that names other readings, for outputs that have others beside it. */
export const readingsField = z
  .array(
    z.object({
      meaning: z.string().describe(objects.meaning.description),
      sql: z.string().describe(objects.sql.description),
      likelihood: z.enum(objects.likelihood.oneOf).describe(objects.likelihood.description),
    }),
  )
  .describe(description);
