import { AskemaError, type Journal, memoryJournal } from '@askema/core';
import { type Conversation, conversation } from '@askema/text2sql';
import { loadConfig } from '../../config/load-config.ts';
import { nameDatabases } from '../../database/name-databases.ts';
import { escapeJson } from '../../format/format-json.ts';
import { chatsFolder, historyFolder, openHistory } from '../../history/history-folder.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT, exitCodeOf } from '../../process/exit-code.ts';
import { canConfirm } from '../../terminal/confirm.ts';
import { printable, withoutUserInfo } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import { describeError, isDebugging, reportError, stackOf } from '../../terminal/report-error.ts';
import { checkChatId, journalOf, keepChat, newChatId, openTypedLines } from './chat-store.ts';
import { findChat, listKept } from './find-chat.ts';
import type { ChatLine } from './input/chat-input.ts';
import { pipedLines } from './input/piped-lines.ts';
import { createStopper } from './input/stopper.ts';
import { terminalLines } from './input/terminal-lines.ts';
import type { ChatFlags } from './session/chat-flags.ts';
import { type ChatSession, sayMessage } from './session/chat-session.ts';
import { type ChatDatabases, openDatabases } from './session/open-databases.ts';
import { printChoices } from './session/print-turn.ts';
import { completeCommand, runCommand } from './slash/slash-commands.ts';

/** `askema chat [DATABASE…]`; returns the exit code. */
export async function runChat(words: readonly string[], flags: ChatFlags, context: CommandContext): Promise<number> {
  const { host } = context;
  const folders = foldersOf(flags, context);
  if (flags.list === true) return listKept(folders.needed(), context);
  if (flags.id !== undefined) checkChatId(flags.id);
  const goesOn = flags.continue === true || flags.id !== undefined;
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const said = words.length === 0 ? undefined : nameDatabases(words, loaded);
  const found = goesOn ? await findChat(folders.needed(), flags, host.cwd, said) : undefined;
  const preset = loaded.config.defaults?.database;
  const named = said ?? found?.databases ?? nameDatabases(preset === undefined ? [] : [preset], loaded);
  if (named.length === 0)
    throw new AskemaError(
      'INPUT_INVALID',
      'DATABASE is missing: askema chat DATABASE. `askema chat --help` shows examples.',
    );
  const databases = await openDatabases(named, flags, loaded, context);
  try {
    return await converse({ flags, databases, folder: folders.folder, id: found?.id ?? flags.id }, context);
  } finally {
    await databases.close();
  }
}

/** Where conversations are kept; undefined where nothing is. */
function foldersOf({ history }: ChatFlags, { host }: CommandContext) {
  const kept = history === false ? undefined : historyFolder(host.env);
  return {
    folder: kept === undefined ? undefined : chatsFolder(kept),
    needed: (): string => {
      if (history === false)
        throw new AskemaError(
          'INPUT_INVALID',
          '--no-history keeps no conversation; leave it out, or --id, --continue and --list.',
        );
      return chatsFolder(openHistory(host.env));
    },
  };
}

interface ChatSetup extends Pick<ChatSession, 'flags' | 'databases' | 'folder'> {
  readonly id: string | undefined;
}

async function converse(setup: ChatSetup, context: CommandContext): Promise<number> {
  const { databases, folder } = setup;
  const isTerminal = canConfirm(context.host);
  if (isTerminal) await connect(databases, context);
  const typed = folder === undefined || !isTerminal ? undefined : await openTypedLines(folder);
  const { host, err, signal } = context;
  const input = isTerminal
    ? terminalLines({ host, err, signal, complete: completeCommand, typed: typed?.lines.map(printable) ?? [] })
    : pipedLines(host.stdin, signal);
  const stopper = createStopper(context, isTerminal, () => {
    isStopped = true;
    chat.isLeaving = true;
    input.close();
  });
  let isStopped = false;
  let isKept = false;
  const chat: ChatSession = {
    ...setup,
    ...{ context, input, stopper, held: new Map(), lastDatabase: undefined, chosen: undefined },
    ...{ isLastAnswered: true, hasFailedCommand: false, isLeaving: false },
    talk: beginTalk(setup.id ?? newChatId(), folder, databases),
    async begin() {
      await chat.talk.close();
      chat.talk = beginTalk(newChatId(), folder, databases);
      chat.held.clear();
      chat.lastDatabase = undefined;
      isKept = false;
    },
    async beforeMessage(title) {
      if (folder === undefined || isKept) return;
      const about = databases.all.map(({ name, address }) => ({ name, address }));
      await keepChat(folder, { id: chat.talk.id, cwd: host.cwd, databases: about, title });
      isKept = true;
    },
  };
  try {
    await tellBeginning(chat);
    await readLines(chat, async (line) => typed?.add(line));
  } finally {
    stopper.close();
    input.close();
    await chat.talk.close();
  }
  if (isStopped && !isTerminal) return EXIT.interrupted;
  return isTerminal || (chat.isLastAnswered && !chat.hasFailedCommand) ? EXIT.ok : EXIT.failed;
}

/**
 * Before the first prompt, because a database may ask for a password on the same terminal. What fails is told, and tried
 * again with a message.
 */
async function connect({ all }: ChatDatabases, { err, signal }: CommandContext): Promise<void> {
  const line = startProgressLine(err);
  line.show('reading the schema');
  const read = await Promise.allSettled(all.map(({ store }) => store.catalog({ signal })));
  await line.stop();
  signal.throwIfAborted();
  for (const one of read) if (one.status === 'rejected') await reportError(describeError(one.reason), err);
}

function beginTalk(id: string, folder: string | undefined, databases: ChatDatabases): Conversation {
  const journal: Journal = folder === undefined ? memoryJournal() : journalOf(folder, id);
  const stores = Object.fromEntries(databases.all.map(({ name, store }) => [name, store]));
  return conversation({ databases: stores, model: databases.model.model, journal, id });
}

/** Who answers about what; and in a conversation that goes on, where it stands. */
async function tellBeginning(chat: ChatSession): Promise<void> {
  const { err } = chat.context;
  const { all, model } = chat.databases;
  const turns = await chat.talk.turns();
  const last = turns.at(-1);
  chat.lastDatabase = last?.understood?.database;
  if (chat.input.isTerminal) {
    const asked = all.map(({ name, address }) => (name === address ? name : `${name} (${withoutUserInfo(address)})`));
    const line = `Asking ${asked.join(', ')} with ${model.label}. /help shows the commands, Ctrl-D leaves.`;
    await err.write(`${err.dim(printable(line))}\n`);
  }
  if (last === undefined) return;
  const question = last.understood?.question ?? last.message;
  const where =
    last.answer.type === 'open'
      ? `The last message was broken off; say it again to go on: ${last.message}`
      : `Going on after turn ${last.turn}: ${question}`;
  await err.write(`${err.dim(printable(where))}\n`);
  if (last.answer.type === 'needsClarification') await printChoices(last.answer, undefined, err);
}

function promptOf({ databases, chosen, lastDatabase }: ChatSession): string {
  const named = chosen ?? lastDatabase;
  const place = databases.all.length > 1 && named !== undefined ? ` (${printable(named)})` : '';
  return `askema${place}> `;
}

/** One line after the other. Whatever goes wrong with one is told, and the next can be typed. */
async function readLines(chat: ChatSession, remember: (line: string) => Promise<void>): Promise<void> {
  const { input, stopper, context, databases } = chat;
  let canRemember = true;
  while (!chat.isLeaving && !context.signal.aborted && !context.out.isGone) {
    const line = await input.next(promptOf(chat));
    if (line === undefined) return;
    stopper.awake();
    if (line.text.trim() === '') continue;
    if (canRemember)
      await remember(line.text.trim()).catch(async (error: unknown) => {
        canRemember = false;
        await tell(error, undefined, chat);
      });
    databases.restart();
    try {
      await stopper.run((signal) => takeLine(line, chat, signal));
    } catch (error) {
      await tell(error, line.text, chat);
    }
  }
}

async function takeLine({ text, isCut }: ChatLine, chat: ChatSession, signal: AbortSignal): Promise<void> {
  const line = text.trim();
  const isCommand = line.startsWith('/') && !line.startsWith('//');
  if (!isCommand) chat.isLastAnswered = false;
  if (isCut === true)
    throw new AskemaError('INPUT_INVALID', `A line may have ${text.length} characters, and this one has more.`);
  if (isCommand) {
    return runCommand(line, chat, signal).catch((error: unknown) => {
      chat.hasFailedCommand = true;
      throw error;
    });
  }
  return sayMessage(chat, line.startsWith('//') ? line.slice(1) : line, signal);
}

async function tell(error: unknown, line: string | undefined, { context, flags, talk }: ChatSession): Promise<void> {
  const { host, out, err } = context;
  if (isDebugging(host.env)) await err.write(stackOf(error));
  const reported = describeError(error);
  if (exitCodeOf(reported.code) === EXIT.interrupted || (error as Error)?.name === 'AbortError')
    return err.write(`${err.yellow('Stopped.')}\n`);
  await reportError(reported, err);
  if (flags.format !== 'json' || line === undefined || line.startsWith('/')) return;
  const { code, message } = reported;
  const shown = { schemaVersion: 1, conversation: talk.id, message: line.slice(0, 1_000), error: { code, message } };
  await out.write(`${escapeJson(JSON.stringify(shown))}\n`);
}
