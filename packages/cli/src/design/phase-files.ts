import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AskemaError } from '@askema/core';
import { artefactProblems, type DesignArtefacts, type DesignPhase } from '@askema/text2schema';

/** The phases in their order. */
export const PHASES: readonly DesignPhase[] = ['report', 'conceptual', 'logical', 'tests'];

/** A file that holds what a phase made. */
export interface PhaseFile {
  readonly part: keyof DesignArtefacts;
  readonly phase: DesignPhase;
  /** Within the folder of the design. */
  readonly name: string;
}

export const PHASE_FILES: readonly PhaseFile[] = [
  { part: 'report', phase: 'report', name: 'phases/1-report.json' },
  { part: 'conceptual', phase: 'conceptual', name: 'phases/2-conceptual-model.json' },
  { part: 'design', phase: 'logical', name: 'phases/3-logical-design.json' },
  { part: 'testPlan', phase: 'tests', name: 'phases/4-test-plan.json' },
  { part: 'testReport', phase: 'tests', name: 'phases/5-test-report.json' },
];

/** Whether a phase stands before another one. */
export function isBefore(phase: DesignPhase, other: DesignPhase): boolean {
  return PHASES.indexOf(phase) < PHASES.indexOf(other);
}

/**
 * What the files in front of `from` hold.
 *
 * @throws AskemaError `INPUT_INVALID` for a file that is missing, is no JSON, or has another form: with its name and the place in it.
 */
export async function readPhasesBefore(
  from: DesignPhase,
  folder: { readonly path: string; readonly shown: string; readonly hasReport: boolean },
): Promise<DesignArtefacts> {
  const artefacts: Partial<Record<keyof DesignArtefacts, unknown>> = {};
  for (const { part, phase, name } of PHASE_FILES) {
    if (!isBefore(phase, from)) continue;
    const shown = join(folder.shown, name);
    if (!existsSync(join(folder.path, name))) {
      if (part === 'report' && !folder.hasReport) continue;
      throw new AskemaError(
        'INPUT_INVALID',
        `--from ${from} needs ${shown}, which is not there. Run the command without --from first.`,
      );
    }
    const value = await readJson(join(folder.path, name), shown);
    const problems = artefactProblems(part, value);
    if (problems.length > 0)
      throw new AskemaError('INPUT_INVALID', `${shown} cannot be worked with: ${problems.join('; ')}. Mend it there.`);
    artefacts[part] = value;
  }
  return artefacts as DesignArtefacts;
}

/** Puts the files of `from` and of the phases behind it aside, into a folder of their own. */
export async function putAside(path: string, from: DesignPhase, aside: string): Promise<void> {
  for (const { phase, name } of PHASE_FILES) {
    if (isBefore(phase, from) || !existsSync(join(path, name))) continue;
    await mkdir(join(path, 'phases', aside), { recursive: true });
    await rename(join(path, name), join(path, name.replace('phases/', `phases/${aside}/`)));
  }
}

/** The first phase file that is not as it was written; `written` has their sums. A file that is gone counts as unchanged. */
export async function editedPhase(
  path: string,
  written: Readonly<Record<string, string>>,
): Promise<PhaseFile | undefined> {
  for (const file of PHASE_FILES) {
    const sum = written[file.name];
    if (sum === undefined || !existsSync(join(path, file.name))) continue;
    if (sha256(await readFile(join(path, file.name), 'utf8')) !== sum) return file;
  }
  return undefined;
}

/** @throws AskemaError `INPUT_INVALID` for what cannot be read or is no JSON; Node's message names the line. */
export async function readJson(file: string, shown: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new AskemaError('INPUT_INVALID', `${shown} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Through a second file, so that Ctrl-C leaves no half of one. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text);
  await rename(`${file}.part`, file);
}
