import type { ToolReply } from '@askema/tools';
import { type ElicitRequestFormParams, type InputRequest, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** What `ask` gives where something has to be decided by a person. */
const ASKED_BACK = z.object({
  type: z.literal('needsClarification'),
  ask: z.string(),
  choices: z.array(z.object({ id: z.string(), meaning: z.string() })).min(1),
  resume: z.string(),
});
export type AskedBack = z.infer<typeof ASKED_BACK>;

/** The question in a reply; undefined where there is none, or nobody could go on with it. */
export function askedBackIn({ structured }: ToolReply<unknown>): AskedBack | undefined {
  return ASKED_BACK.safeParse(structured).data;
}

/** The key of the one question of a round. */
export const ANSWER_KEY = 'answer';

/** What a person's client sends back. */
export const ANSWER = z.object({ choice: z.string() });

/** The form that the client shows. Lines of the message and titles are single ones: names of a database can hold more. */
export function formOf({ ask, choices }: AskedBack): InputRequest {
  const oneOf = choices.map(({ id, meaning }) => ({ const: id, title: flat(meaning) }));
  const requestedSchema: ElicitRequestFormParams['requestedSchema'] = {
    type: 'object',
    properties: { choice: { type: 'string', title: 'What is meant', oneOf } },
    required: ['choice'],
  };
  return inputRequired.elicit({ message: flat(ask), requestedSchema });
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
