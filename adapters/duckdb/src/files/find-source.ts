import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { unreadableFileError } from '@askema/adapter-kit';
import { AskemaError } from '@askema/core';
import { linkOutOf } from '@askema/core/node';
import type { ResolvedOptions } from '../options.ts';
import type { EngineSource, FileRelation, LeftOut } from '../protocol.ts';
import { DATABASE_ENDINGS, type FileKind, fileKind } from './file-kind.ts';
import { directoryProblem, emptyFile, HAS_PATTERN, missingPath, unreadableName, wrongKind } from './file-problem.ts';
import { sniffFile } from './sniff-file.ts';

/** More files than that are no set of tables but a mistake in the path. */
const MAX_FILES = 10_000;

/** Folders within folders are followed so deep. */
const MAX_DEPTH = 12;

/** Characters that DuckDB takes for a pattern in the path of a file. */
const PATTERN = /[*?[\]]/;

/** The log of a database, and what a checkpoint that was cut off leaves. */
export const LOGS = ['.wal', '.wal.checkpoint', '.wal.recovery'];

/** A file that was found. */
interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly kind: FileKind;
}

/** Files that belong to one relation, before it has a name of its own. */
type FileGroup = Omit<FileRelation, 'name'> & { readonly stem: string };

/**
 * Looks at what shall be opened, so that a mistake in a path is told before anything is started. Rejects with
 * `DATABASE_*`. A database is not read here: closing it would free the locks that another part of this process may hold
 * on it (fcntl(2)).
 */
export async function findSource({ place }: Pick<ResolvedOptions, 'place'>): Promise<EngineSource> {
  if (place.type === 'files') return { type: 'files', ...(await planFiles(place.paths)) };
  const { file } = place;
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) throw await missingPath(file, found);
  if (found.isDirectory()) throw await directoryProblem(file);
  if (found.size === 0) throw emptyFile(file);
  for (const suffix of LOGS) await checkLog(file, `${file}${suffix}`);
  return { type: 'database', file };
}

/** DuckDB reads such a file beside a database as well, which nobody named. A pipe would block it for ever. */
async function checkLog(file: string, log: string): Promise<void> {
  if ((await lstat(log).catch(() => undefined))?.isSymbolicLink()) refuseLinkOut(dirname(file), log);
  const found = await stat(log).catch(() => undefined);
  if (found !== undefined && !found.isFile())
    throw new AskemaError(
      'DATABASE_INVALID',
      `${log} is no regular file. DuckDB takes it for a log of the database: find out who has put it there, and move it away.`,
    );
}

/**
 * Makes relations of files and folders. A file is a relation. In a folder, files whose names differ only in the number
 * at their end (`events_20240101.parquet`, `part-0.csv`) are one relation, each other file is one of its own, and a
 * folder with folders such as `year=2024` is one relation, partitioned by them (Hive). Other folders within a folder
 * are searched as well. Hidden files and those of other kinds are passed over; data files that cannot be read are named.
 *
 * Rejects with `DATABASE_NOT_FOUND` (with the nearest names) and `DATABASE_INVALID` (empty, of another kind, nothing in
 * the folder).
 */
async function planFiles(
  paths: readonly string[],
): Promise<{ readonly relations: readonly FileRelation[]; readonly leftOut: readonly LeftOut[] }> {
  const groups: FileGroup[] = [];
  const leftOut: LeftOut[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    if (found instanceof Error) throw await missingPath(path, found);
    if (found.isDirectory()) groups.push(...(await planFolder(path, leftOut)));
    else groups.push(await planFile(path, found.size));
  }
  const count = groups.reduce((sum, { files }) => sum + files.length, 0);
  if (count > MAX_FILES)
    throw new AskemaError(
      'DATABASE_INVALID',
      `There are ${count} data files, more than ${MAX_FILES}. Name fewer files or a smaller folder.`,
    );
  return { relations: nameRelations(groups), leftOut };
}

async function planFile(path: string, bytes: number): Promise<FileGroup> {
  const kind = fileKind(basename(path));
  // A database is not read here: closing it would free the locks that another part of this process may hold on it
  // (fcntl(2)).
  if (kind === undefined)
    throw wrongKind(path, DATABASE_ENDINGS.includes(extname(path).toLowerCase()) ? 'duckdb' : 'other');
  if (bytes === 0) throw emptyFile(path);
  const content = await sniffFile(path).catch((thrown: unknown) => {
    throw unreadableFileError(path, thrown);
  });
  if (content === 'sqlite' || content === 'duckdb') throw wrongKind(path, content);
  if (PATTERN.test(path)) throw unreadableName(path);
  return { stem: kind.stem, format: kind.format, files: [path], bytes, hive: false, required: true };
}

async function planFolder(folder: string, leftOut: LeftOut[]): Promise<FileGroup[]> {
  const found: LeftOut[] = [];
  const search: Search = { root: folder, leftOut: found, found: new Set([identityOf(await stat(folder))]) };
  const groups = await groupsIn(search, folder, 0);
  leftOut.push(...found);
  if (groups.length > 0) return groups;
  const [first] = found;
  if (first !== undefined)
    throw new AskemaError(
      'DATABASE_INVALID',
      `No data file in the folder ${folder} can be read. ${first.file}: ${first.reason}.`,
    );
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).slice(0, 5);
  throw new AskemaError(
    'DATABASE_INVALID',
    `The folder ${folder} has no data files in it${names.length === 0 ? ': it is empty' : ` (there are ${names.join(', ')})`}. Parquet, CSV, TSV and JSON files are read, also CSV and JSON packed with gzip or zstd.`,
  );
}

/** A folder that is searched, and what of it is not read. */
interface Search {
  readonly root: string;
  readonly leftOut: LeftOut[];
  /** Folders that were found: links to them make no others. */
  readonly found: Set<string>;
}

async function groupsIn(search: Search, folder: string, depth: number): Promise<FileGroup[]> {
  if (isTooDeep(search, folder, depth)) return [];
  const entries = (await readdir(folder, { withFileTypes: true }))
    .filter(({ name }) => !name.startsWith('.') && !name.startsWith('_'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const folders: string[] = [];
  const files: FoundFile[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const path = join(folder, name);
    const found = await look(search, path, entry);
    if (found === 'folder') folders.push(name);
    else if (found !== undefined) files.push(found);
  }
  const partitions = folders.filter(isPartition);
  if (partitions.length > 0) return partitioned(search, folder, partitions, depth);
  const groups = groupFiles(folder, files);
  for (const name of folders) groups.push(...(await groupsIn(search, join(folder, name), depth + 1)));
  return groups;
}

function isTooDeep({ leftOut }: Search, folder: string, depth: number): boolean {
  if (depth > MAX_DEPTH) leftOut.push({ file: folder, reason: `it lies more than ${MAX_DEPTH} folders deep` });
  return depth > MAX_DEPTH;
}

const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/**
 * A folder that was not found before, a data file, or undefined for anything else. A data file that cannot be read is
 * left out with a word.
 */
async function look(
  { root, leftOut, found: folders }: Search,
  path: string,
  entry: Dirent,
): Promise<FoundFile | 'folder' | undefined> {
  if (entry.isSymbolicLink()) refuseLinkOut(root, path);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) {
    const isKnown = folders.has(identityOf(found));
    folders.add(identityOf(found));
    return isKnown ? undefined : 'folder';
  }
  const kind = fileKind(entry.name);
  if (kind === undefined) return undefined;
  const reason =
    found?.isFile() !== true
      ? 'it is no file that can be read'
      : found.size === 0
        ? 'it is empty'
        : PATTERN.test(path)
          ? HAS_PATTERN
          : undefined;
  if (reason === undefined) return { path, bytes: found?.size ?? 0, kind };
  leftOut.push({ file: path, reason });
  return undefined;
}

/** A folder may come from anybody: it is no way to files that nobody named. */
function refuseLinkOut(root: string, path: string): void {
  const problem = linkOutOf(root, path);
  if (problem !== undefined) throw new AskemaError('DATABASE_INVALID', problem);
}

/** `year=2024` */
function isPartition(name: string): boolean {
  return /^[^=]+=./.test(name);
}

/** All files below the folders `key=value` of a folder, as one relation that is named after it. */
async function partitioned(
  search: Search,
  folder: string,
  partitions: readonly string[],
  depth: number,
): Promise<FileGroup[]> {
  const files: FoundFile[] = [];
  const collect = async (path: string, level: number): Promise<void> => {
    if (isTooDeep(search, path, level)) return;
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const { name } = entry;
      if (name.startsWith('.') || name.startsWith('_')) continue;
      const inner = join(path, name);
      const found = await look(search, inner, entry);
      if (found === 'folder') await collect(inner, level + 1);
      else if (found !== undefined) files.push(found);
    }
  };
  for (const name of partitions) await collect(join(folder, name), depth + 1);
  const formats = [...new Set(files.map(({ kind }) => kind.format))];
  return formats.map((format) => ({
    stem: basename(folder),
    format,
    ...together(files.filter(({ kind }) => kind.format === format)),
    hive: true,
    required: false,
  }));
}

/** Names that end in the same words and differ in the number behind them. */
function groupFiles(folder: string, files: readonly FoundFile[]): FileGroup[] {
  const series = new Map<string, FoundFile[]>();
  for (const file of files) {
    const key = `${file.kind.format} ${seriesStem(file.kind.stem) ?? `/${file.kind.stem}`}`;
    series.set(key, [...(series.get(key) ?? []), file]);
  }
  return [...series.values()].flatMap((members): FileGroup[] => {
    const [first] = members;
    if (first === undefined) return [];
    const common = { format: first.kind.format, hive: false, required: false } as const;
    const stem = seriesStem(first.kind.stem);
    if (members.length === 1 || stem === undefined)
      return members.map((member) => ({ ...common, stem: member.kind.stem, ...together([member]) }));
    // `part-0.csv` is named after what it is a part of.
    const isPart = /^(part|data|chunk|file|)$/i.test(stem);
    return [{ ...common, stem: isPart ? basename(folder) : stem, ...together(members), pattern: `${stem}*` }];
  });
}

/** What stands in front of the number that a name ends with; undefined where it ends with none. */
function seriesStem(stem: string): string | undefined {
  const match = /^(.*?)[-_. ]?\d[\d-_. T]*$/.exec(stem.slice(0, 200));
  return match?.[1];
}

function together(files: readonly FoundFile[]): Pick<FileRelation, 'files' | 'bytes'> {
  return {
    files: files.map(({ path }) => path).sort(),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** DuckDB's own views, which a relation of that name would hide. */
const OF_ENGINE =
  /^(?:duckdb_(?:columns|constraints|databases|indexes|logs|schemas|tables|types|views)|pragma_database_list|sqlite_(?:temp_)?(?:master|schema))$/i;

/**
 * Gives each group a name of its own: that of its file or folder, with the format behind it where two would share one, or
 * where DuckDB has it, then a number.
 */
function nameRelations(groups: readonly FileGroup[]): readonly FileRelation[] {
  const counts = new Map<string, number>();
  for (const { stem } of groups) counts.set(stem.toLowerCase(), (counts.get(stem.toLowerCase()) ?? 0) + 1);
  const taken = new Set<string>();
  return groups.map(({ stem, ...group }) => {
    const isShared = (counts.get(stem.toLowerCase()) ?? 0) > 1 && hasOtherFormat(groups, stem);
    const base = isShared || OF_ENGINE.test(stem) ? `${stem}_${group.format}` : stem;
    let name = base;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${base}_${number}`;
    taken.add(name.toLowerCase());
    return { name, ...group };
  });
}

function hasOtherFormat(groups: readonly FileGroup[], stem: string): boolean {
  const formats = groups.filter((group) => group.stem.toLowerCase() === stem.toLowerCase()).map(({ format }) => format);
  return new Set(formats).size > 1;
}
