import type { Task } from '@askema/core';
import type * as z from 'zod';

/**
 * An output that is asked for in one form and taken in a looser one. Actions need it: vendors hold a model to the strict form; what comes otherwise
 * is left to `parseActions`, which reads looser forms and whose problems are findings. No answer is asked for again because one argument of one
 * action is missing.
 */
export function takenLoosely<Out>(asked: z.ZodType, taken: z.ZodType<Out>): Task<never, Out>['output'] {
  const { version, vendor, validate } = taken['~standard'];
  const standard = { version, vendor, validate, jsonSchema: asked['~standard'].jsonSchema };
  return { '~standard': standard } as Task<never, Out>['output'];
}
