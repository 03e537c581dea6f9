import { AskemaError } from '@askema/core';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable, withoutUserInfo } from '../../terminal/printable.ts';
import { type KeptChat, lastChatIn, listChats } from './chat-store.ts';
import type { ChatFlags } from './session/chat-flags.ts';

/**
 * The conversation of `--id`, undefined for an id that nobody has used yet; else the one of `--continue`, about the
 * databases that are named, if any are.
 *
 * @throws AskemaError `INPUT_INVALID` for both options together, where there is none to go on with, and for one of
 *   another folder.
 */
export async function findChat(
  folder: string,
  { id, continue: goesOn }: ChatFlags,
  cwd: string,
  named: KeptChat['databases'] | undefined,
): Promise<KeptChat | undefined> {
  if (id === undefined) return lastChatIn(folder, cwd, named);
  if (goesOn === true)
    throw new AskemaError(
      'INPUT_INVALID',
      '--continue goes on with the last conversation, --id with one by its name: give one.',
    );
  const found = (await listChats(folder)).find((chat) => chat.id === id);
  if (found === undefined || found.cwd === cwd) return found;
  throw new AskemaError(
    'INPUT_INVALID',
    `The conversation \`${id}\` was held in ${found.cwd}, and paths mean something else here. Go on with it there.`,
  );
}

/** `askema chat --list`; returns the exit code. */
export async function listKept(folder: string, { out, err }: CommandContext): Promise<number> {
  const chats = await listChats(folder);
  for (const { id, lastMs, cwd, databases, title } of chats) {
    const when = new Date(lastMs).toISOString().slice(0, 16).replace('T', ' ');
    const asked = databases.map(({ address }) => withoutUserInfo(address)).join(', ');
    await out.write(`${printable(`${id}  ${when}  ${cwd}  ${asked}  ${title}`)}\n`);
  }
  if (chats.length === 0) await err.write(`${err.dim('No conversation is kept yet.')}\n`);
  return EXIT.ok;
}
