import { AskemaError, didYouMean, nearestNames } from '@askema/core';
import { printable } from '../../../terminal/printable.ts';
import type { ChatSession } from '../session/chat-session.ts';

/** `/use [NAME]`. */
export async function useDatabase(name: string, chat: ChatSession): Promise<void> {
  const { err } = chat.context;
  const names = chat.databases.all.map((one) => one.name);
  if (name !== '' && !names.includes(name))
    throw new AskemaError(
      'INPUT_INVALID',
      `/use ${name.slice(0, 60)}: no database is called so. Open are: ${names.join(', ')}. ${didYouMean(name, names)}`.trim(),
      { details: { nearestNames: nearestNames(name, names) } },
    );
  chat.chosen = name === '' ? undefined : name;
  const text =
    name === ''
      ? `Each message decides which database it asks: ${names.join(', ')}.`
      : `All messages ask ${name}, until /use alone lets each decide again.`;
  await err.write(`${err.dim(printable(text))}\n`);
}
