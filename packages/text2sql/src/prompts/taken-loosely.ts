import type { Task } from '@askema/core';
import type * as z from 'zod';

/**
 * An output that is asked for in one form and taken in a looser one: vendors hold a model to the strict form, and no
 * answer is asked for again because something is missing that can be done without.
 */
export function takenLoosely<Out>(asked: z.ZodType, taken: z.ZodType<Out>): Task<never, Out>['output'] {
  const { version, vendor, validate } = taken['~standard'];
  const standard = { version, vendor, validate, jsonSchema: asked['~standard'].jsonSchema };
  return { '~standard': standard } as Task<never, Out>['output'];
}
