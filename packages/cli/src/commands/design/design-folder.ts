import { createHash, randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AskemaError, type Journal } from '@askema/core';
import { jsonlJournal, linkOutOf } from '@askema/core/node';
import { artefactProblems, type DesignArtefacts, type DesignPhase, type PresetName } from '@askema/text2schema';
import { filesOf, isBefore, mayLack, PHASE_FILES, type PhaseFile, phasesOf } from './phase-files.ts';

/** What decides whether a second start goes on with the first one. Plain JSON. */
interface DesignSettings {
  readonly strategy: string;
  /** Of `schema-agent`; else undefined. */
  readonly preset: PresetName | undefined;
  readonly model: string;
  readonly without: readonly string[];
  readonly maxRounds: number | undefined;
  readonly explicitConstraints: boolean;
  /** The label of a model; undefined where the forward order decides. */
  readonly administrator: string | undefined;
}

/** `design.json`. */
interface FolderState {
  readonly schemaVersion: 1;
  readonly requirementSha256: string;
  readonly settings: DesignSettings;
  /** Which run of this folder is the current one, from 1. */
  readonly run: number;
  /** The sum of each phase file as it was written, so that an edit is seen. */
  readonly phases: Readonly<Record<string, string>>;
}

/** The folder of one design: phases as they are finished, the journal, and in the end everything else. */
export interface DesignFolder {
  /** As people read it. */
  readonly shown: string;
  readonly journal: Journal;
  readonly runId: string;
  /** True when the run was begun before. */
  readonly isResumed: boolean;
  /** The phases that the run begins behind. */
  readonly given: DesignArtefacts | undefined;
  /**
   * Makes the folder ready; until then nothing in it is touched. Rejects with `INPUT_INVALID` when it cannot be
   * written.
   */
  begin(): Promise<void>;
  /** Writes a file, whole or not at all. */
  write(name: string, text: string): Promise<void>;
  /** Writes those that have changed since they were written; returns the names of all. */
  writePhases(artefacts: DesignArtefacts): Promise<readonly string[]>;
}

interface OpenFolderOptions {
  readonly path: string;
  readonly cwd: string;
  readonly requirement: string;
  readonly settings: DesignSettings;
  /** Begins anew, whatever the folder holds. */
  readonly force: boolean;
  /** Does this phase and those behind it again, with what the files of the phases before it say. */
  readonly from: DesignPhase | undefined;
}

/** Everything else that a design writes. */
const OUTPUTS =
  /^(?:schema\.(?:json|dbml|prisma|drizzle\.ts|[a-z]+\.sql)|diagram\.(?:mmd|svg)|report\.md|transcript\.json)$/;

/**
 * Looks into the folder; nothing is written yet.
 *
 * @throws AskemaError `INPUT_INVALID` when it holds a design of something else, files that are none of a design's, or
 * phases that were edited, and when it lacks a phase that `from` needs.
 */
export async function openDesignFolder(options: OpenFolderOptions): Promise<DesignFolder> {
  const { path, cwd, requirement, settings, force, from } = options;
  const shown = relative(cwd, path) || '.';
  if (existsSync(path) && !statSync(path).isDirectory())
    throw new AskemaError('INPUT_INVALID', `--out ${shown} is a file; name a folder.`);
  await refuseLinksOut(path, shown);
  const before = await readState(join(path, 'design.json'), shown);
  const requirementSha256 = sha256(requirement);
  const now = { ...options, requirementSha256, shown };
  // A run that finished nothing (a wrong key, a refusal) binds nobody.
  const isBlank = before !== undefined && Object.keys(before.phases).length === 0 && differences(before, now) !== '';
  const begins = force || from !== undefined || isBlank;
  if (!force && !isBlank) await checkGoesOn(before, now);
  const given = from === undefined ? undefined : await readPhasesBefore(from, { path, shown, settings });
  const run = before === undefined ? 1 : before.run + (begins ? 1 : 0);
  let phases: Record<string, string> = begins ? {} : { ...before?.phases };
  const writeState = (): Promise<void> => {
    const state: FolderState = { schemaVersion: 1, requirementSha256, settings, run, phases };
    return writeWhole(join(path, 'design.json'), `${JSON.stringify(state, null, 2)}\n`);
  };
  return {
    shown,
    runId: `design-${run}`,
    given,
    isResumed: before !== undefined && !begins,
    journal: jsonlJournal({ file: join(path, `run-${run}.jsonl`) }),
    async begin() {
      try {
        await mkdir(join(path, 'phases'), { recursive: true });
        if (begins) {
          await putAside(path, from ?? 'report', `run-${before?.run ?? 0}`);
          await removeOutputs(path);
          phases = await sumsOf(path);
        }
        await writeState();
      } catch (error) {
        throw new AskemaError('INPUT_INVALID', `--out ${shown} cannot be written: ${(error as Error).message}`, {
          cause: error,
        });
      }
    },
    write: (name, text) => writeWhole(join(path, name), text),
    async writePhases(artefacts) {
      const made = PHASE_FILES.filter(({ part }) => artefacts[part] !== undefined);
      for (const { part, name } of made) {
        const text = `${JSON.stringify(artefacts[part], null, 2)}\n`;
        const sum = sha256(text);
        if (phases[name] === sum && existsSync(join(path, name))) continue;
        await writeWhole(join(path, name), text);
        phases = { ...phases, [name]: sum };
        await writeState();
      }
      return made.map(({ name }) => name);
    },
  };
}

/** A folder may come from anybody: nothing is read from, or written to, where a link in it leads out. */
async function refuseLinksOut(path: string, shown: string): Promise<void> {
  const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
  const own = (await namesIn(path)).filter((name) => /^(?:design\.json|phases|run-\d+\.jsonl.*)$/.test(name));
  for (const name of [...own, ...(await namesIn(join(path, 'phases'))).map((inner) => join('phases', inner))]) {
    const file = join(path, name);
    const problem = linkOutOf(path, file);
    if (problem !== undefined) throw new AskemaError('INPUT_INVALID', problem);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile() && !found.isDirectory())
      throw new AskemaError('INPUT_INVALID', `${join(shown, name)} is no regular file. Move it away.`);
  }
}

async function readState(file: string, shown: string): Promise<FolderState | undefined> {
  if (!existsSync(file)) return undefined;
  const { run, requirementSha256, settings, phases } = ((await readJson(file, join(shown, 'design.json'))) ??
    {}) as Partial<FolderState>;
  if (typeof run === 'number' && typeof requirementSha256 === 'string' && typeof settings === 'object') {
    // Before there were presets, there was that of the paper alone.
    const preset = settings.preset ?? (settings.strategy === 'schema-agent' ? 'paper' : undefined);
    return { schemaVersion: 1, run, requirementSha256, settings: { ...settings, preset }, phases: phases ?? {} };
  }
  throw new AskemaError(
    'INPUT_INVALID',
    `${join(shown, 'design.json')} is none of this command's. Name another folder with --out.`,
  );
}

type GoingOn = OpenFolderOptions & { readonly requirementSha256: string; readonly shown: string };

/** @throws AskemaError `INPUT_INVALID` where going on would mix two designs, or lose what somebody wrote. */
async function checkGoesOn(before: FolderState | undefined, now: GoingOn): Promise<void> {
  const { path, shown, from } = now;
  const elsewhere = 'Name another folder with --out, or begin anew with --force.';
  if (before === undefined) {
    const others = existsSync(path) && from === undefined ? await outputsIn(path) : [];
    if (others.length === 0) return;
    throw new AskemaError(
      'INPUT_INVALID',
      `${shown} holds ${others.join(', ')}, which no design of this command wrote. ${elsewhere.replace('begin anew', 'write over it')}`,
    );
  }
  if (from === 'report') return;
  // Another model may do the phases again; what stands before them must be of the same requirement.
  const different = differences(from === undefined ? before : { ...before, settings: now.settings }, now);
  if (different !== '') {
    throw new AskemaError(
      'INPUT_INVALID',
      `${shown} holds a design that was made otherwise (${different}). ${elsewhere}`,
    );
  }
  const { preset } = now.settings;
  if (from !== undefined || preset === undefined) return;
  const edited = await editedPhase(path, before.phases);
  const next = edited && nextPhase(edited.phase, preset, before.phases);
  if (edited === undefined || next === undefined) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `${join(shown, edited.name)} was edited. Go on from it with --from ${next}, or begin anew with --force.`,
  );
}

/** Where to go on behind an edited phase. Tests from the requirement alone hold for an edited design as well. */
function nextPhase(edited: DesignPhase, preset: PresetName, written: FolderState['phases']): DesignPhase | undefined {
  const isThere = (phase: DesignPhase) => filesOf(preset).some((file) => file.phase === phase && file.name in written);
  return phasesOf(preset).find(
    (phase) => isBefore(edited, phase) && !(phase === 'requirement-tests' && edited === 'logical' && isThere(phase)),
  );
}

function differences(before: FolderState, { requirementSha256, settings }: GoingOn): string {
  if (before.requirementSha256 !== requirementSha256) return 'the requirement was another one';
  const show = (value: unknown): string => JSON.stringify(value) ?? 'none';
  return Object.entries(settings)
    .map(([key, value]) => [key, show(before.settings[key as keyof DesignSettings]), show(value)] as const)
    .filter(([, was, is]) => was !== is)
    .map(([key, was, is]) => `${key} was ${was} and is ${is}`)
    .join('; ');
}

async function outputsIn(path: string): Promise<readonly string[]> {
  return (await readdir(path)).filter((name) => OUTPUTS.test(name));
}

/** What the run before made: none of it may stand beside another design. */
async function removeOutputs(path: string): Promise<void> {
  for (const name of await outputsIn(path)) await rm(join(path, name), { force: true });
}

async function sumsOf(path: string): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const { name } of PHASE_FILES)
    if (existsSync(join(path, name))) sums[name] = sha256(await readFile(join(path, name), 'utf8'));
  return sums;
}

/**
 * What the files in front of `from` hold.
 *
 * @throws AskemaError `INPUT_INVALID` for a file that is missing, is no JSON, or has another form: with its name and
 * the place in it.
 */
async function readPhasesBefore(
  from: DesignPhase,
  { path, shown, settings }: Pick<OpenFolderOptions, 'path' | 'settings'> & { readonly shown: string },
): Promise<DesignArtefacts> {
  const artefacts: Partial<Record<keyof DesignArtefacts, unknown>> = {};
  const { preset = 'paper', without } = settings;
  for (const { part, phase, name } of filesOf(preset)) {
    if (!isBefore(phase, from)) continue;
    const file = join(shown, name);
    if (!existsSync(join(path, name))) {
      if (mayLack(part, preset, without)) continue;
      throw new AskemaError(
        'INPUT_INVALID',
        `--from ${from} needs ${file}, which is not there. Run the command without --from first.`,
      );
    }
    const value = await readJson(join(path, name), file);
    const problems = artefactProblems(part, value);
    if (problems.length > 0)
      throw new AskemaError('INPUT_INVALID', `${file} cannot be worked with: ${problems.join('; ')}. Mend it there.`);
    artefacts[part] = value;
  }
  return artefacts as DesignArtefacts;
}

/** Puts the files of `from` and of the phases behind it aside, into a folder of their own. */
async function putAside(path: string, from: DesignPhase, aside: string): Promise<void> {
  for (const { phase, name } of PHASE_FILES) {
    if (isBefore(phase, from) || !existsSync(join(path, name))) continue;
    await mkdir(join(path, 'phases', aside), { recursive: true });
    await rename(join(path, name), join(path, name.replace('phases/', `phases/${aside}/`)));
  }
}

/**
 * The first phase file that is not as it was written; `written` has their sums. A file that is gone counts as
 * unchanged.
 */
async function editedPhase(path: string, written: Readonly<Record<string, string>>): Promise<PhaseFile | undefined> {
  for (const file of PHASE_FILES) {
    const sum = written[file.name];
    if (sum === undefined || !existsSync(join(path, file.name))) continue;
    if (sha256(await readFile(join(path, file.name), 'utf8')) !== sum) return file;
  }
  return undefined;
}

/** @throws AskemaError `INPUT_INVALID` for what cannot be read or is no JSON; Node's message names the line. */
async function readJson(file: string, shown: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new AskemaError('INPUT_INVALID', `${shown} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Through a second file, so that Ctrl-C leaves no half of one; nobody else has made it, so it is no link. */
async function writeWhole(file: string, text: string): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  await writeFile(part, text, { flag: 'wx' });
  await rename(part, file);
}
