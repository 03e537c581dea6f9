import { type Message, userMessage } from '@askema/core';

/** What `expand` of an output holds. */
export const EXPAND =
  'Up to five relations, by name, that have to be seen in full before the question can be answered; then nothing else is filled in. Usually empty.';

const MAY_EXPAND =
  'Some relations above lack columns or types, or are only named. Where the answer needs one of them in full, name it in `expand`: you are shown it, and asked again.';

/** A prompt that offers to see more of the schema first: in front of its last part, the question. */
export function mayExpand(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, userMessage(MAY_EXPAND)];
  const offer = { type: 'text' as const, text: `${MAY_EXPAND}\n\n` };
  const content = [...last.content.slice(0, -1), offer, ...last.content.slice(-1)];
  return [...messages.slice(0, -1), { role: 'user', content }];
}

/** The schema with what was asked for behind it. */
export function withDescriptions(schemaText: string, described: readonly string[]): string {
  return [schemaText, '-- More of the schema, as you asked for:', ...described].join('\n\n');
}
