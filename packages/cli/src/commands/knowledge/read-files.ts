import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import { linkOutOf } from '@askema/core/node';
import type { TextFile } from '@askema/knowledge';
import { statusOf } from '../../database/database-file.ts';

/** Folders of tools in which nobody writes by hand. */
const NOT_READ = new Set(['node_modules', 'dbt_packages', 'target', 'logs']);
/** Of SQL only what stands beside a model of WrenAI: dbt's has templates, and is not read. */
const READ = /\.(ya?ml|json|md)$|^ref_sql\.sql$/i;
const MAX_FILES = 20_000;
const MAX_BYTES = 20_000_000;
const MAX_DEPTH = 16;

/** Files that were named, and those of folders that were named; links that lead out of such a folder are left out. */
export function readFiles(names: readonly string[], cwd: string): readonly TextFile[] {
  const files = findFiles(names, cwd, READ).map(({ full, path }) => {
    if ((statusOf(full)?.size ?? 0) > MAX_BYTES)
      throw new AskemaError('INPUT_INVALID', `${path} is larger than ${MAX_BYTES} bytes. Split it, or leave it out.`);
    return { path, text: readFileSync(full, 'utf8').replace(/^\uFEFF/, '') };
  });
  if (files.length === 0)
    throw new AskemaError('INPUT_INVALID', `${names.join(', ')} has no file that ends in .yml, .yaml, .json or .md.`);
  return files;
}

interface FoundFile {
  readonly full: string;
  /** Relative to the folder that was named. */
  readonly path: string;
}

/** The same without reading them: of folders, files with such names. */
export function findFiles(names: readonly string[], cwd: string, wanted: RegExp): readonly FoundFile[] {
  const files: FoundFile[] = [];
  const add = (full: string, path: string): void => {
    if (files.length >= MAX_FILES)
      throw new AskemaError('INPUT_INVALID', `There are more than ${MAX_FILES} files. Name a folder with fewer.`);
    files.push({ full, path });
  };
  const walk = (root: string, below: string, depth: number): void => {
    const entries = readdirSync(join(root, below), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      const kind = kindOf(root, path, entry);
      if (kind === 'folder' && depth < MAX_DEPTH) walk(root, path, depth + 1);
      if (kind === 'file' && wanted.test(entry.name)) add(join(root, path), path);
    }
  };
  for (const name of names) {
    const full = resolve(cwd, name);
    const status = statusOf(full);
    if (status?.isDirectory() === true) walk(full, '', 0);
    else if (status?.isFile() === true) add(full, basename(full));
    else throw new AskemaError('INPUT_INVALID', `There is no file and no folder ${name}.`);
  }
  return files;
}

function kindOf(root: string, path: string, entry: Dirent): 'file' | 'folder' | undefined {
  if (entry.name.startsWith('.') || NOT_READ.has(entry.name)) return undefined;
  const full = join(root, path);
  if (entry.isSymbolicLink() && linkOutOf(root, full) !== undefined) return undefined;
  const status = statusOf(full);
  if (status?.isDirectory() === true) return 'folder';
  return status?.isFile() === true ? 'file' : undefined;
}
