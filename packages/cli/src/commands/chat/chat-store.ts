import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AskemaError, type Journal } from '@askema/core';
import { jsonlJournal } from '@askema/core/node';
import { schemeOf } from '../../database/scheme-of.ts';
import { checkOwner, HISTORY_LIMITS } from '../../history/history-store.ts';
import { replaceFile } from '../../history/replace-file.ts';
import { withoutUserInfo } from '../../terminal/printable.ts';

const ID = /^\w[\w.-]{0,59}$/;

/** What is known of a conversation beside its turns. */
export interface KeptChat {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly cwd: string;
  /** ISO 8601. */
  readonly begunAt: string;
  /** What was said first. */
  readonly title: string;
  readonly databases: readonly { readonly name: string; readonly address: string }[];
  /** When something was said last, in milliseconds. */
  readonly lastMs: number;
}

/** Each conversation has a folder: what it is about, and its turns. */
const ABOUT = 'about.json';
const TURNS = 'turns.jsonl';
/** No conversation can be called so. */
const LINES = '.lines';

export function newChatId(): string {
  return randomUUID().slice(0, 8);
}

/** @throws AskemaError `INPUT_INVALID` for what is no name of a conversation. */
export function checkChatId(id: string): string {
  if (ID.test(id)) return id;
  throw new AskemaError(
    'INPUT_INVALID',
    `--id ${JSON.stringify(id.slice(0, 80))}: letters, digits, \`_\`, \`.\` and \`-\`, at most 60.`,
  );
}

/** The turns of a conversation. */
export function journalOf(folder: string, id: string): Journal {
  return jsonlJournal({ file: join(folder, id, TURNS) });
}

/**
 * Keeps what a conversation is about; its first message can be kept then. Old ones go as those of the history go.
 *
 * @throws AskemaError `CONFIG_INVALID` for a folder of another user, and where nothing can be written.
 */
export async function keepChat(
  folder: string,
  chat: Pick<KeptChat, 'id' | 'cwd' | 'databases' | 'title'>,
): Promise<void> {
  try {
    await writeAbout(folder, chat);
  } catch (error) {
    if (error instanceof AskemaError) throw error;
    throw new AskemaError(
      'CONFIG_INVALID',
      `The conversation cannot be kept in ${folder}: ${(error as Error).message}. Make room there, set ASKEMA_HISTORY to another folder, or begin with --no-history.`,
      { cause: error },
    );
  }
}

async function writeAbout(
  folder: string,
  { id, cwd, databases, title }: Pick<KeptChat, 'id' | 'cwd' | 'databases' | 'title'>,
): Promise<void> {
  await mkdir(join(folder, id), { recursive: true, mode: 0o700 });
  await checkOwner(folder);
  const before = await readChat(folder, id);
  const begun = { begunAt: before?.begunAt ?? new Date().toISOString(), title: before?.title ?? title.slice(0, 200) };
  const about = { schemaVersion: 1, id, cwd, ...begun, databases };
  await replaceFile(join(folder, id, ABOUT), `${JSON.stringify(about)}\n`);
  const oldest = Date.now() - HISTORY_LIMITS.ageMs;
  const gone = (await listChats(folder)).filter((one, at) => at >= HISTORY_LIMITS.entries || one.lastMs < oldest);
  for (const one of gone) if (one.id !== id) await rm(join(folder, one.id), { recursive: true, force: true });
}

/** All conversations, newest first. What cannot be read is none. */
export async function listChats(folder: string): Promise<readonly KeptChat[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0) await checkOwner(folder);
  const chats = await Promise.all(names.filter((name) => ID.test(name)).map((name) => readChat(folder, name)));
  return chats.filter((chat) => chat !== undefined).sort((one, other) => other.lastMs - one.lastMs);
}

async function readChat(folder: string, id: string): Promise<KeptChat | undefined> {
  try {
    const file = join(folder, id, ABOUT);
    const { size, mtimeMs } = await stat(file);
    if (size > HISTORY_LIMITS.bytes) return undefined;
    const about = JSON.parse(await readFile(file, 'utf8')) as KeptChat;
    const { databases } = about;
    const texts = [about.cwd, about.begunAt, about.title, ...databases.flatMap(({ name, address }) => [name, address])];
    if (about.schemaVersion !== 1 || about.id !== id || texts.some((text) => typeof text !== 'string'))
      return undefined;
    const turns = await stat(join(folder, id, TURNS)).catch(() => undefined);
    return { ...about, lastMs: turns?.mtimeMs ?? mtimeMs };
  } catch {
    return undefined;
  }
}

/**
 * The last conversation that was held in a folder; where databases are named, about the same ones under the same names.
 *
 * @throws AskemaError `INPUT_INVALID` when there is none.
 */
export async function lastChatIn(
  folder: string,
  cwd: string,
  named: KeptChat['databases'] | undefined,
): Promise<KeptChat> {
  const chats = (await listChats(folder)).filter((chat) => chat.cwd === cwd);
  const wanted = named && placesOf(named, cwd);
  const found = wanted === undefined ? chats[0] : chats.find(({ databases }) => placesOf(databases, cwd) === wanted);
  if (found !== undefined) return found;
  const [last] = chats;
  if (last === undefined || named === undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      'No conversation was held in this folder. `askema chat --list` lists those of other folders.',
    );
  throw new AskemaError(
    'INPUT_INVALID',
    `No conversation of this folder is about ${shownNames(named)}; the last one is about ${shownNames(last.databases)}. To go on with that, name no database; to begin one, leave out --continue.`,
  );
}

/** Databases in one text, whatever their order and however their files are written. */
function placesOf(databases: KeptChat['databases'], cwd: string): string {
  const places = databases.map(({ name, address }) => [
    name,
    schemeOf(address) === undefined ? resolve(cwd, address) : address,
  ]);
  return JSON.stringify(places.map((place) => JSON.stringify(place)).sort());
}

function shownNames(databases: KeptChat['databases']): string {
  return databases.map(({ name, address }) => `${name} (${withoutUserInfo(address)})`).join(', ');
}

/** Lines that were typed, for the arrow keys. */
export interface TypedLines {
  /** Newest first. */
  readonly lines: readonly string[];
  add(line: string): Promise<void>;
}

const MAX_LINES = 500;
const MAX_LINES_BYTES = 2_000_000;

/** Lines of earlier sessions; only this user can read them. */
export async function openTypedLines(folder: string): Promise<TypedLines> {
  const file = join(folder, LINES);
  const { kept, isLarge } = await readLines(file);
  const lines = kept.slice(-MAX_LINES);
  if (isLarge || kept.length > 2 * MAX_LINES) await replaceFile(file, `${lines.join('\n')}\n`).catch(() => undefined);
  return {
    lines: lines.reverse(),
    async add(line) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await checkOwner(folder);
      await appendFile(file, `${line}\n`, { mode: 0o600 });
    },
  };
}

/** The last ones, where the file is too large to be read whole. */
async function readLines(file: string): Promise<{ readonly kept: readonly string[]; readonly isLarge: boolean }> {
  const nothing = { kept: [], isLarge: false };
  try {
    const found = await stat(file);
    if (!found.isFile()) return nothing;
    const isLarge = found.size > MAX_LINES_BYTES;
    const handle = await open(file);
    try {
      const length = Math.min(found.size, MAX_LINES_BYTES);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, found.size - length);
      const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
      // The first of them is cut.
      return { kept: lines.slice(isLarge ? 1 : 0).filter((line) => line !== ''), isLarge };
    } finally {
      await handle.close();
    }
  } catch {
    return nothing;
  }
}
