import { type Message, userMessage } from '@askema/core';

/** What `expand` of an output holds. */
export const EXPAND =
  'Up to five relations, by name, that have to be seen in full before the question can be answered; then nothing else is filled in. Usually empty.';

const MAY_EXPAND =
  'The schema above is not whole: some relations are only named, or lack columns. Where the question cannot be answered without seeing one of them in full, name it in `expand`: you are shown it, and asked again.';

/** A prompt that offers to see more of the schema first. */
export function mayExpand(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, userMessage(MAY_EXPAND)];
  const content = [...last.content, { type: 'text' as const, text: `\n\n${MAY_EXPAND}` }];
  return [...messages.slice(0, -1), { role: 'user', content }];
}

/** The schema with what was asked for behind it. */
export function withDescriptions(schemaText: string, described: readonly string[]): string {
  return [schemaText, '-- More of the schema, as you asked for:', ...described].join('\n\n');
}
