import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AskemaError, didYouMean, isAskemaError } from '@askema/core';
import { readOssie } from '../formats/ossie/read-ossie.ts';
import { isObject, withoutUndefined } from '../formats/plain-object.ts';
import { readYaml } from '../formats/read-yaml.ts';
import { mapEntries, type StandingEntry } from '../model/entries.ts';
import type {
  Knowledge,
  KnowledgeProblem,
  KnowledgeSettings,
  KnowledgeText,
  VerifiedQuery,
} from '../model/knowledge.ts';
import type { SemanticModel } from '../model/semantic-model.ts';
import { acceptedPlace, type Place, personalFolderOf } from '../model/standing.ts';
import { type KnowledgeChecks, readChecks } from './checks.ts';
import { SETTINGS } from './knowledge-files.ts';
import { FOLDERS, type FoundFile, findFiles, type LoadKnowledgeOptions, readOwnFile, SETTINGS_FILE } from './layout.ts';
import { personOf } from './person-folder.ts';
import { readQuery } from './read-query.ts';
import { readTexts } from './read-texts.ts';
import { withStates } from './states.ts';

interface Collected {
  readonly models: SemanticModel[];
  readonly texts: KnowledgeText[];
  readonly verifiedQueries: VerifiedQuery[];
  readonly problems: KnowledgeProblem[];
  settings: KnowledgeSettings;
  checks: KnowledgeChecks | undefined;
}

/**
 * Reads a folder of knowledge, or single files of it. A folder that has none of our files but a folder `knowledge` is
 * that one: so projects of WrenAI open. A file that cannot be read becomes a problem, and the others are read.
 *
 * @throws AskemaError `KNOWLEDGE_INVALID` for a path that is not there, and for a `knowledge.yml` of a newer version;
 *   `INPUT_INVALID` for what is no name of a person.
 */
export async function loadKnowledge(
  paths: string | readonly string[],
  options: LoadKnowledgeOptions = {},
): Promise<Knowledge> {
  const all: Collected = {
    models: [],
    texts: [],
    verifiedQueries: [],
    problems: [],
    settings: {},
    checks: undefined,
  };
  for (const path of [paths].flat()) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw notThere(path);
    if (found.isDirectory()) readFolder(folderIn(path), all, options);
    else readFile(fileAt(path), all);
  }
  const { settings, checks, ...read } = all;
  return { schemaVersion: 1, settings, ...withStates(mapEntries(read, withPerson), checks) };
}

function withPerson<Entry extends StandingEntry>(_: string, entry: Entry): Entry {
  const folder = personalFolderOf(entry.standing.place.file);
  const by = folder === undefined ? undefined : personOf(folder);
  return by === undefined ? entry : { ...entry, standing: { ...entry.standing, by } };
}

/** The folder itself, or the folder `knowledge` of a project. */
export function folderIn(path: string): string {
  const within = join(path, 'knowledge');
  const isOwn = existsSync(join(path, SETTINGS_FILE));
  return !isOwn && statSync(within, { throwIfNoEntry: false })?.isDirectory() === true ? within : path;
}

function readFolder(folder: string, all: Collected, options: LoadKnowledgeOptions): void {
  all.settings = { ...all.settings, ...readSettings(folder, all.problems) };
  const checks = readChecks(folder);
  if (checks !== undefined) all.checks = { ...checks, entries: { ...all.checks?.entries, ...checks.entries } };
  const files = findFiles(folder, all.problems, options);
  for (const file of files) readFile(file, all);
  if (files.length === 0)
    all.problems.push({
      severity: 'warning',
      code: 'empty-folder',
      place: { file: '.' },
      message: `There is no knowledge in ${folder}: none of ${Object.keys(FOLDERS).join(', ')} has a file.`,
      advice: 'Draft some with `askema knowledge init`.',
    });
}

function readFile({ path, kind, isProposal, text }: FoundFile, all: Collected): void {
  const state = isProposal ? 'proposed' : 'accepted';
  const { problems } = all;
  try {
    if (kind === 'model') {
      const file = readOssie(text, path, 'file', { state });
      all.models.push(...file.models);
      problems.push(...file.problems);
      return;
    }
    const id = acceptedPlace(path).replace(/^[^/]+\/|\.md$/g, '');
    if (kind !== 'query') all.texts.push(...readTexts(text, path, id, kind, state, problems));
    else {
      const query = readQuery(text, path, id, state, problems);
      if (query !== undefined) all.verifiedQueries.push(query);
    }
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    const line = typeof thrown.details.line === 'number' ? thrown.details.line : undefined;
    const place: Place = { file: path, line };
    problems.push({ severity: 'error', code: 'unreadable-file', place, message: thrown.message });
  }
}

/** A file by itself: what it is, its name and its folder say. */
function fileAt(path: string): FoundFile {
  const parent = basename(dirname(path));
  const isModel = !path.endsWith('.md');
  const kind = isModel ? 'model' : (Object.hasOwn(FOLDERS, parent) && FOLDERS[parent]) || undefined;
  if (kind === undefined)
    throw new AskemaError(
      'KNOWLEDGE_INVALID',
      `What ${path} holds is not known. Put it into a folder ${Object.keys(FOLDERS).slice(1).join(', ')}.`,
      { details: { file: path } },
    );
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  return { path: isModel ? path : `${parent}/${basename(path)}`, kind, isProposal: false, text };
}

function readSettings(folder: string, problems: KnowledgeProblem[]): KnowledgeSettings {
  const text = readOwnFile(folder, SETTINGS_FILE);
  if (text === undefined) return {};
  const { value, lineOf } = readYaml(text, SETTINGS_FILE);
  const written = isObject(value) ? value : {};
  const fail = (key: string, reason: string): never => {
    const line = lineOf([key]);
    throw new AskemaError('KNOWLEDGE_INVALID', `${SETTINGS_FILE}:${line} ${reason}`, {
      details: { file: SETTINGS_FILE, line },
    });
  };
  const { schema_version: version } = written;
  if (version !== 1)
    fail(
      'schema_version',
      version === undefined
        ? 'has no `schema_version`. Write `schema_version: 1`.'
        : `has the schema_version ${JSON.stringify(version)}; version 1 is read. A newer release of Askema may read it.`,
    );
  for (const key of Object.keys(written))
    if (!(key in SETTINGS.shape))
      problems.push({
        severity: 'warning',
        code: 'unknown-key',
        place: { file: SETTINGS_FILE, line: lineOf([key]) },
        message: `The setting \`${key}\` is not read. ${didYouMean(key, Object.keys(SETTINGS.shape))}`.trimEnd(),
      });
  const { data, error } = SETTINGS.safeParse(written);
  if (data === undefined) {
    const [issue] = error.issues;
    return fail(String(issue?.path[0]), `\`${issue?.path.join('.')}\`: ${issue?.message}.`);
  }
  return withoutUndefined({
    dialect: data.dialect,
    matching: data.matching,
    timeZone: data.time_zone,
    fiscalYearStart: data.fiscal_year_start,
    weekStart: data.week_start,
  });
}

function notThere(path: string): AskemaError {
  const parent = dirname(path);
  const beside = statSync(parent, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(parent) : [];
  const hint = didYouMean(basename(path), beside);
  return new AskemaError(
    'KNOWLEDGE_INVALID',
    `There is no folder or file ${path}. ${hint === '' ? 'Name a folder of knowledge, or make one with `askema knowledge init`.' : hint}`,
    { details: { file: path } },
  );
}
