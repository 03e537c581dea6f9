import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AskemaError, didYouMean, type JournalEntry, nearestNames } from '@askema/core';
import { decodeOutcome, type OutcomeJson } from '@askema/text2sql/ask';
import { chatsFolder } from './history-folder.ts';
import { replaceFile } from './replace-file.ts';

/** A run of `askema ask`, as it is kept. Plain JSON, and without any row of a result. */
export interface HistoryEntry {
  readonly schemaVersion: 1;
  readonly id: string;
  /** When it ended, ISO 8601. */
  readonly at: string;
  readonly cwd: string;
  /** The address, path or name, as it was given. */
  readonly database: string;
  readonly question: string;
  /** As they were given; those that let something be changed are left out. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** True where data could be changed. */
  readonly mayWrite: boolean;
  /** Rows of the result. */
  readonly rowCount?: number | undefined;
  /** In its public form, with an empty list of rows. */
  readonly outcome: OutcomeJson;
  /** Of a run that waits for an answer. */
  readonly journal?: readonly JournalEntry[] | undefined;
}

/** What is there, newest first, and the files that cannot be read. */
export interface HistoryList {
  readonly entries: readonly HistoryEntry[];
  readonly broken: readonly string[];
}

/** What the history keeps: runs, bytes of one, and how long. */
export const HISTORY_LIMITS = { entries: 500, bytes: 200_000, ageMs: 90 * 86_400_000 } as const;

/** Entries are smaller; what somebody else has put there may not be. */
const MAX_READ_BYTES = 16_000_000;

/** `20261123T083800123Z-3f2a9c1e.json`: in order of time. */
const FILE = /^(\d{8}T\d{9}Z)-([\w~]{1,60})\.json$/;

/**
 * Keeps a run: one file, so that several processes do not meet. Old ones go: 500 are kept, for 90 days. One above
 * 200 kB is kept without its journal and candidates.
 *
 * @throws AskemaError `CONFIG_INVALID` for a folder of another user; errors of the file system.
 */
export async function keepEntry(folder: string, entry: HistoryEntry): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await checkOwner(folder);
  const name = `${entry.at.replaceAll(/[-:.]/g, '')}-${entry.id}.json`;
  await replaceFile(join(folder, name), textOf(entry));
  await prune(folder, Date.parse(entry.at));
}

/** All entries, newest first; none where there is no folder. A file that cannot be read is named, and harms no other. */
export async function listEntries(folder: string): Promise<HistoryList> {
  const entries: HistoryEntry[] = [];
  const broken: string[] = [];
  for (const name of (await filesOf(folder)).reverse()) {
    const entry = await readEntry(join(folder, name));
    if (entry === undefined) broken.push(name);
    else entries.push(entry);
  }
  return { entries, broken };
}

/**
 * The entry of this id, or whose id begins so.
 *
 * @throws AskemaError `INPUT_INVALID` when there is none, or more than one.
 */
export async function findEntry(folder: string, id: string): Promise<HistoryEntry> {
  const { entries } = await listEntries(folder);
  const [found, second] = entries.filter((entry) => entry.id === id || entry.id.startsWith(id));
  const exact = entries.find((entry) => entry.id === id) ?? (second === undefined ? found : undefined);
  if (exact !== undefined && id !== '') return exact;
  const ids = entries.map((entry) => entry.id);
  const problem = found === undefined ? 'is not in the history' : 'begins several ids of the history';
  throw new AskemaError(
    'INPUT_INVALID',
    `\`${id}\` ${problem}. ${didYouMean(id, ids)} \`askema history\` lists the runs.`,
    { details: { nearestNames: nearestNames(id, ids) } },
  );
}

/**
 * The last run that was asked in a folder.
 *
 * @throws AskemaError `INPUT_INVALID` when there is none.
 */
export async function lastEntryIn(folder: string, cwd: string): Promise<HistoryEntry> {
  const { entries } = await listEntries(folder);
  const found = entries.find((entry) => entry.cwd === cwd);
  if (found !== undefined) return found;
  throw new AskemaError(
    'INPUT_INVALID',
    'Nothing was asked in this folder that the history has. `askema history` lists the runs; name one by its id.',
  );
}

/** Forgets the entries of these ids, or everything, conversations too; says how many entries are gone. */
export async function forgetEntries(folder: string, ids: readonly string[] | 'all'): Promise<number> {
  const names = (await filesOf(folder)).filter((name) => ids === 'all' || ids.includes(FILE.exec(name)?.[2] ?? ''));
  for (const name of names) await rm(join(folder, name), { force: true });
  if (ids === 'all') await rm(chatsFolder(folder), { recursive: true, force: true });
  return names.length;
}

function textOf(entry: HistoryEntry): string {
  const text = `${JSON.stringify(entry)}\n`;
  if (Buffer.byteLength(text) <= HISTORY_LIMITS.bytes) return text;
  const { journal: _, ...rest } = entry;
  return `${JSON.stringify({ ...rest, outcome: { ...entry.outcome, candidates: [] } })}\n`;
}

async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0) await checkOwner(folder);
  return names.filter((name) => FILE.test(name)).sort();
}

async function readEntry(file: string): Promise<HistoryEntry | undefined> {
  try {
    // A pipe would be waited for, and a device has no end.
    const found = await stat(file);
    if (!found.isFile() || found.size > MAX_READ_BYTES) return undefined;
    const entry = JSON.parse(await readFile(file, 'utf8')) as HistoryEntry;
    const texts = [entry.id, entry.at, entry.cwd, entry.database, entry.question];
    if (entry.schemaVersion !== 1 || texts.some((text) => typeof text !== 'string')) return undefined;
    if (typeof entry.flags !== 'object' || entry.flags === null) return undefined;
    decodeOutcome(entry.outcome);
    return entry;
  } catch {
    return undefined;
  }
}

async function prune(folder: string, now: number): Promise<void> {
  const names = await filesOf(folder);
  const oldest = new Date(now - HISTORY_LIMITS.ageMs).toISOString().replaceAll(/[-:.]/g, '');
  const gone = names.filter((name, at) => at < names.length - HISTORY_LIMITS.entries || name < oldest);
  for (const name of gone) await rm(join(folder, name), { force: true });
}

/**
 * Somebody else who owns the folder could read what is kept, or put files there that are repeated.
 *
 * @throws AskemaError `CONFIG_INVALID` for such a folder.
 */
export async function checkOwner(folder: string): Promise<void> {
  const { uid, mode } = await stat(folder);
  const isOurs = process.getuid === undefined || uid === process.getuid();
  if (isOurs && (process.platform === 'win32' || (mode & 0o022) === 0)) return;
  throw new AskemaError(
    'CONFIG_INVALID',
    `The folder of the history, ${folder}, ${isOurs ? 'can be written by others' : 'belongs to another user'}. Set ASKEMA_HISTORY to a folder of your own, or to \`off\`.`,
  );
}
