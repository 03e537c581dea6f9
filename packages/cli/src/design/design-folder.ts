import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AskemaError, type Journal } from '@askema/core';
import { jsonlJournal } from '@askema/core/node';
import type { DesignArtefacts, DesignPhase } from '@askema/text2schema';

/** What decides whether a second start goes on with the first one. Plain JSON. */
export interface DesignSettings {
  readonly strategy: string;
  readonly model: string;
  readonly without: readonly string[];
  readonly maxRounds: number | undefined;
  readonly explicitConstraints: boolean;
}

interface FolderState {
  readonly schemaVersion: 1;
  readonly requirementSha256: string;
  readonly settings: DesignSettings;
  /** Which run of this folder is the current one, from 1. */
  readonly run: number;
}

/** The folder of one design: phases as they are finished, the journal, and in the end everything else. */
export interface DesignFolder {
  readonly path: string;
  readonly journal: Journal;
  readonly runId: string;
  /** True when the run was begun before. */
  readonly isResumed: boolean;
  /** The phases that the run begins behind. */
  readonly given: DesignArtefacts | undefined;
  /** Writes a file, whole or not at all; returns its path as people read it. */
  write(name: string, text: string): Promise<string>;
  writePhases(artefacts: DesignArtefacts): Promise<void>;
}

/** The phases in their order, and the files in which they stand. */
export const PHASES: readonly DesignPhase[] = ['report', 'conceptual', 'logical', 'tests'];

const PHASE_FILES: readonly (readonly [keyof DesignArtefacts, DesignPhase, string])[] = [
  ['report', 'report', 'phases/1-report.json'],
  ['conceptual', 'conceptual', 'phases/2-conceptual-model.json'],
  ['design', 'logical', 'phases/3-logical-design.json'],
  ['testPlan', 'tests', 'phases/4-test-plan.json'],
  ['testReport', 'tests', 'phases/5-test-report.json'],
];

export interface OpenFolderOptions {
  readonly path: string;
  readonly cwd: string;
  readonly requirement: string;
  readonly settings: DesignSettings;
  /** Begins anew, whatever the folder holds. */
  readonly force: boolean;
  /** Does this phase and those behind it again, with what the files of the phases before it say. */
  readonly from: DesignPhase | undefined;
}

/**
 * Opens or makes the folder.
 *
 * @throws AskemaError `INPUT_INVALID` when it holds a design of something else, or lacks a phase that `from` needs.
 */
export async function openDesignFolder(options: OpenFolderOptions): Promise<DesignFolder> {
  const { path, cwd, requirement, settings, force, from } = options;
  const shown = relative(cwd, path) || '.';
  await mkdir(join(path, 'phases'), { recursive: true }).catch((error: Error) => {
    throw new AskemaError('INPUT_INVALID', `--out ${shown} cannot be made: ${error.message}`, { cause: error });
  });
  const stateFile = join(path, 'design.json');
  const requirementSha256 = createHash('sha256').update(requirement).digest('hex');
  const before = await readState(stateFile, shown);
  const begins = force || from !== undefined;
  if (before !== undefined && !begins) checkSame(before, requirementSha256, settings, shown);
  const run = before === undefined ? 1 : before.run + (begins ? 1 : 0);
  const given = from === undefined ? undefined : await readPhases(path, from, shown);
  const state: FolderState = { schemaVersion: 1, requirementSha256, settings, run };
  await writeWhole(stateFile, `${JSON.stringify(state, null, 2)}\n`);
  const runId = `design-${run}`;
  return {
    path,
    runId,
    given,
    isResumed: before !== undefined && !begins,
    journal: jsonlJournal({ file: join(path, `run-${run}.jsonl`) }),
    async write(name, text) {
      await writeWhole(join(path, name), text);
      return relative(cwd, join(path, name));
    },
    async writePhases(artefacts) {
      for (const [key, , name] of PHASE_FILES) {
        const value = artefacts[key];
        if (value !== undefined) await writeWhole(join(path, name), `${JSON.stringify(value, null, 2)}\n`);
      }
    },
  };
}

async function readState(file: string, shown: string): Promise<FolderState | undefined> {
  if (!existsSync(file)) return undefined;
  const state = await readJson(file, `${shown}/design.json`);
  const { run, requirementSha256 } = state as Partial<FolderState>;
  if (typeof run === 'number' && typeof requirementSha256 === 'string') return state as FolderState;
  throw new AskemaError(
    'INPUT_INVALID',
    `${shown}/design.json is none of this command's. Name another folder with --out.`,
  );
}

function checkSame(before: FolderState, requirementSha256: string, settings: DesignSettings, shown: string): void {
  const other =
    before.requirementSha256 === requirementSha256
      ? Object.entries(settings)
          .filter(
            ([key, value]) => JSON.stringify(before.settings[key as keyof DesignSettings]) !== JSON.stringify(value),
          )
          .map(
            ([key, value]) =>
              `${key}: ${JSON.stringify(before.settings[key as keyof DesignSettings])} before, ${JSON.stringify(value)} now`,
          )
          .join('; ')
      : 'the requirement was another one';
  if (other === '') return;
  throw new AskemaError(
    'INPUT_INVALID',
    `${shown} holds a design that was made otherwise (${other}). Name another folder with --out, or begin anew with --force.`,
  );
}

/** Everything in front of `from`. */
async function readPhases(path: string, from: DesignPhase, shown: string): Promise<DesignArtefacts> {
  const artefacts: Record<string, unknown> = {};
  for (const [key, phase, name] of PHASE_FILES) {
    if (PHASES.indexOf(phase) >= PHASES.indexOf(from)) continue;
    if (!existsSync(join(path, name))) {
      throw new AskemaError(
        'INPUT_INVALID',
        `--from ${from} needs ${shown}/${name}, which is not there. Run the command without --from first.`,
      );
    }
    artefacts[key] = await readJson(join(path, name), `${shown}/${name}`);
  }
  return artefacts as DesignArtefacts;
}

async function readJson(file: string, shown: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new AskemaError('INPUT_INVALID', `${shown} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Through a second file, so that Ctrl-C leaves no half of one. */
async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text);
  await rename(`${file}.part`, file);
}
