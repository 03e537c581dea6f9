import { z } from 'zod';
import type { ToolReply } from '../contract.ts';

/** What a person is asked before a run goes on. */
export interface AskedBack {
  readonly ask: string;
  readonly choices: readonly { readonly id: string; readonly meaning: string }[];
  /** Goes back with the answer. */
  readonly resume: string;
}

const choiceSchema = z.object({ id: z.string(), meaning: z.string() });

export const askedBackSchema = z.object({ ask: z.string(), choices: z.array(choiceSchema), resume: z.string() });

const needsClarification = askedBackSchema.extend({ type: z.literal('needsClarification') });

/** The question of a reply of `ask` that asks one; undefined for any other reply. */
export function askedBackBy({ structured }: ToolReply<unknown>): AskedBack | undefined {
  const { success, data } = needsClarification.safeParse(structured);
  if (!success) return undefined;
  const { ask, choices, resume } = data;
  return { ask, choices, resume };
}
