import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { didYouMean } from '@askema/core';
import { linkOutOf } from '@askema/core/node';
import { sqliteDialect } from '@askema/dialects';
import * as z from 'zod';
import { databaseIdProblem } from './database-id.ts';
import type { DatasetDatabase, DatasetQuestion } from './dataset.ts';

/** The last one is a folder of data files, or a file without an ending. */
const FLAT_ENDINGS = ['.sqlite', '.db', '.sqlite3', '.duckdb', '.parquet', '.csv', ''];
/** Whether data sets bring databases of this dialect as files; those of all others are on a server. */
export function comesAsFile(dialect: string): boolean {
  return dialect === sqliteDialect.name;
}

/** Files that are a database of their own. */
const FILE_ENDINGS = ['.sqlite', '.db', '.sqlite3', '.duckdb'];
/** The id of a database, which becomes part of a path or an address: a plain name, see {@link databaseIdProblem}. */
export const databaseName = z
  .string()
  .trim()
  .superRefine((name, context) => {
    const problem = databaseIdProblem(name);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** The database of a question; or a text that says what is not there. */
export type DatabaseFinder = (id: string, question: DatasetQuestion) => DatasetDatabase | string;

interface DatabasePlaces {
  /** No link may lead out of it: the folder of the dataset, or the one that was named for its databases. */
  readonly root: string;
  /** Folders in the order in which they are looked through. */
  readonly folders: readonly string[];
  /**
   * `flat`: `<folder>/<id>.sqlite`; `nested`: `<folder>/<id>/<id>.sqlite`; `both`: nested first. `loose`: as flat, but
   * never a folder, and where no file has the id for its name, the only one whose name differs in case or in `-` for `_`.
   */
  readonly layout: 'flat' | 'nested' | 'both' | 'loose';
  readonly isElsewhere: boolean;
  /** Further files beside a nested one are contents of the same schema. */
  readonly hasVariants?: boolean | undefined;
  readonly dialect?: string | undefined;
}

/** Looks for files as {@link DatabasePlaces} says; elsewhere, `file` is the first place where one would be. */
export function findDatabaseIn(places: DatabasePlaces): (id: string) => DatasetDatabase | string {
  const dialect = places.dialect === undefined ? {} : { dialect: places.dialect };
  return (id) => {
    const files = places.folders.flatMap((folder) => candidates(folder, id, places.layout));
    const file = places.isElsewhere ? files[0] : (files.find((name) => existsSync(name)) ?? looseFile(places, id));
    if (file === undefined) return `there is no ${files[0]}.${nearest(places, id)}`;
    const variants = places.hasVariants === true && !places.isElsewhere ? variantsOf(file, id) : [];
    const problem = places.isElsewhere ? undefined : linkOutOfAny(places.root, [file, ...variants]);
    if (problem !== undefined) return problem;
    return { id, file, ...(variants.length === 0 ? {} : { variants }), ...dialect };
  };
}

function linkOutOfAny(root: string, files: readonly string[]): string | undefined {
  for (const file of files) {
    // Some layouts have their databases one folder up, which belongs to the dataset as well.
    const folder = path.relative(root, file).startsWith('..') ? path.dirname(root) : root;
    const problem = linkOutOf(folder, file);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function candidates(folder: string, id: string, layout: DatabasePlaces['layout']): readonly string[] {
  if (layout === 'loose') return FILE_ENDINGS.map((ending) => path.join(folder, `${id}${ending}`));
  const nested = FILE_ENDINGS.map((ending) => path.join(folder, id, `${id}${ending}`));
  const flat = FLAT_ENDINGS.map((ending) => path.join(folder, `${id}${ending}`));
  return layout === 'flat' ? flat : layout === 'nested' ? nested : [...nested, ...flat];
}

function looseFile({ folders, layout }: DatabasePlaces, id: string): string | undefined {
  if (layout !== 'loose') return undefined;
  const found = folders.flatMap((folder) =>
    entriesOf(folder).flatMap((entry) => {
      const { name, ext } = path.parse(entry);
      return FILE_ENDINGS.includes(ext) && loosely(name) === loosely(id) ? [path.join(folder, entry)] : [];
    }),
  );
  return found.length === 1 ? found[0] : undefined;
}

function loosely(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

function variantsOf(file: string, id: string): readonly string[] {
  const folder = path.dirname(file);
  if (path.basename(folder) !== id) return [];
  return entriesOf(folder)
    .filter((name) => name.endsWith('.sqlite') && name !== path.basename(file))
    .sort()
    .map((name) => path.join(folder, name));
}

function nearest({ folders, layout }: DatabasePlaces, id: string): string {
  const there = folders.flatMap((folder) => entriesOf(folder).slice(0, 1000)).map((name) => path.parse(name));
  const names = there.filter(({ ext }) => layout !== 'loose' || FILE_ENDINGS.includes(ext)).map(({ name }) => name);
  const hint = didYouMean(id, names);
  return hint === '' ? '' : ` ${hint}`;
}

/** The names in a folder; none where it is no folder that can be read. */
export function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
