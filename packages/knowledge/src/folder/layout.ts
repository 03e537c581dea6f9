import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AskemaError, didYouMean } from '@askema/core';
import { linkOutOf } from '@askema/core/node';
import type { KnowledgeProblem } from '../model/knowledge.ts';
import { PERSONAL, PROPOSALS } from '../model/standing.ts';
import { personFolder, personOf } from './person-folder.ts';

export type FileKind = 'model' | 'query' | 'rule' | 'caveat' | 'glossary' | 'note';

/** Folders by what stands in them. */
export const FOLDERS: Readonly<Record<string, FileKind>> = {
  models: 'model',
  sql: 'query',
  rules: 'rule',
  caveats: 'caveat',
  glossary: 'glossary',
  metrics: 'note',
};
export const SETTINGS_FILE = 'knowledge.yml';
export const CHECKS_FILE = 'checks.json';

const MAX_FILES = 50_000;
const MAX_DEPTH = 4;
const MAX_BYTES: Readonly<Record<FileKind, number>> = {
  model: 20_000_000,
  query: 1_000_000,
  rule: 1_000_000,
  caveat: 1_000_000,
  glossary: 1_000_000,
  note: 1_000_000,
};
const ENDINGS = { model: /\.(ya?ml|json)$/, prose: /\.md$/ };

/** Which proposals of single persons are read. By default none: only those that everybody sees. */
export interface LoadKnowledgeOptions {
  /** The name of a person: whose own proposals are read as well. */
  readonly proposalsOf?: string | undefined;
  /** Those of every person: for who keeps the folder. */
  readonly allProposals?: boolean | undefined;
}

export interface FoundFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly kind: FileKind;
  readonly isProposal: boolean;
  readonly text: string;
}

/** The files of a folder of knowledge. What is none of it, or is not read, becomes a problem. */
export function findFiles(
  folder: string,
  problems: KnowledgeProblem[],
  { proposalsOf, allProposals }: LoadKnowledgeOptions,
): FoundFile[] {
  const found: FoundFile[] = [];
  const report = (severity: 'error' | 'warning', code: string, file: string, message: string): void => {
    problems.push({ severity, code, place: { file }, message });
  };
  const names = [...Object.keys(FOLDERS), PROPOSALS];
  const count = { all: 0, ofPersons: 0 };

  const readFolder = (path: string, kind: FileKind, isProposal: boolean, depth: number): void => {
    for (const entry of entriesOf(join(folder, path))) {
      const below = `${path}/${entry.name}`;
      const type = typeOf(folder, below, entry, report);
      if (type === 'folder' && depth < MAX_DEPTH) readFolder(below, kind, isProposal, depth + 1);
      if (type === 'folder' && depth >= MAX_DEPTH)
        report('error', 'too-deep', below, `${below} is more than ${MAX_DEPTH} folders deep, and is not read.`);
      if (type !== 'file') continue;
      if (!(kind === 'model' ? ENDINGS.model : ENDINGS.prose).test(entry.name)) {
        const wanted = kind === 'model' ? '.ossie.yaml or .json' : '.md';
        report('warning', 'unknown-file', below, `${below} is not read: files of ${path} end in ${wanted}.`);
        continue;
      }
      const whose = path.startsWith(`${PERSONAL}/`) ? 'ofPersons' : 'all';
      count[whose] += 1;
      // Nobody can propose so much that the folder does not open.
      if (count.ofPersons > MAX_FILES && whose === 'ofPersons') continue;
      const text = readText(folder, below, MAX_BYTES[kind], report);
      if (text !== undefined) found.push({ path: below, kind, isProposal, text });
      if (count.all > MAX_FILES)
        throw new AskemaError(
          'KNOWLEDGE_INVALID',
          `${folder} has more than ${MAX_FILES} files. Name its folder of knowledge.`,
        );
    }
  };

  const readLayout = (path: string, isProposal: boolean): void => {
    for (const entry of entriesOf(join(folder, path))) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      const kind = Object.hasOwn(FOLDERS, entry.name) ? FOLDERS[entry.name] : undefined;
      const isKnown = kind !== undefined || (!isProposal && entry.name === PROPOSALS);
      if (below === PERSONAL) readPersons(entry);
      else if (!isKnown) {
        const hint = entry.isDirectory() ? didYouMean(entry.name, names) : '';
        if (hint !== '') report('warning', 'unknown-folder', below, `The folder ${below} is not read. ${hint}`);
      } else if (typeOf(folder, below, entry, report) === 'folder') {
        if (kind === undefined) readLayout(below, true);
        else readFolder(below, kind, isProposal, 1);
      }
    }
  };
  const readPersons = (entry: Dirent): void => {
    const own = proposalsOf === undefined ? undefined : personFolder(proposalsOf);
    if ((own === undefined && allProposals !== true) || !entry.isDirectory()) return;
    for (const person of entriesOf(join(folder, PERSONAL))) {
      const below = `${PERSONAL}/${person.name}`;
      if (allProposals !== true && below !== own) continue;
      // A link would make proposals of one person those of another.
      if (person.isDirectory() && personOf(person.name) !== undefined) readLayout(below, true);
      else report('warning', 'unknown-folder', below, `${below} is not read: it is no folder of a person.`);
    }
  };
  readLayout('', false);
  if (count.ofPersons > MAX_FILES)
    report(
      'error',
      'too-many-files',
      PERSONAL,
      `Single persons propose ${count.ofPersons} files; ${MAX_FILES} of them are read. Remove what nobody needs, or name a person.`,
    );
  return found;
}

/** Sorted, without hidden ones. */
function entriesOf(folder: string): readonly Dirent[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Report = (severity: 'error' | 'warning', code: string, file: string, message: string) => void;

/** Undefined for what is not read: links that lead out of the folder, pipes. */
function typeOf(folder: string, path: string, entry: Dirent, report: Report): 'file' | 'folder' | undefined {
  const full = join(folder, path);
  if (entry.isSymbolicLink()) {
    const problem = linkOutOf(folder, full);
    if (problem !== undefined) {
      report('error', 'link-out-of-folder', path, problem);
      return undefined;
    }
  }
  const found = entry.isSymbolicLink() ? statSync(full, { throwIfNoEntry: false }) : entry;
  if (found?.isDirectory() === true) return 'folder';
  if (found?.isFile() === true) return 'file';
  report('error', 'no-file', path, `${path} is no regular file. Move it away.`);
  return undefined;
}

/** A file that stands in the folder itself; undefined where it is not there. It is read by the same limits. */
export function readOwnFile(folder: string, name: string): string | undefined {
  const full = join(folder, name);
  if (!existsSync(full)) return undefined;
  const fail = (message: string): never => {
    throw new AskemaError('KNOWLEDGE_INVALID', message, { details: { file: name } });
  };
  const problem = linkOutOf(folder, full);
  if (problem !== undefined) fail(problem);
  if (!statSync(full).isFile()) fail(`${name} is no regular file. Move it away.`);
  return readText(folder, name, MAX_BYTES.model, (_, __, ___, message) => fail(message));
}

/** A file of the folder as text, unless it is too large. */
function readText(folder: string, path: string, maxBytes: number, report: Report): string | undefined {
  const full = join(folder, path);
  const { size } = statSync(full);
  if (size > maxBytes) {
    report('error', 'file-too-large', path, `${path} has ${size} bytes; files up to ${maxBytes} are read. Split it.`);
    return undefined;
  }
  return readFileSync(full, 'utf8').replace(/^\uFEFF/, '');
}
