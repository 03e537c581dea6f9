import { type AskedBack, askedBackBy, type ToolReply } from '@askema/tools';
import { type ElicitRequestFormParams, type InputRequest, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The question in a reply that a form can put; undefined where there is none, or nothing to choose from. */
export function askedBackIn(reply: ToolReply<unknown>): AskedBack | undefined {
  const asked = askedBackBy(reply);
  return asked !== undefined && asked.choices.length > 0 ? asked : undefined;
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
