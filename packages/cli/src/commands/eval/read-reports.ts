import { createHash } from 'node:crypto';
import { AskemaError } from '@askema/core';
import { artefactProblems, type DesignArtefacts } from '@askema/text2schema';
import { readTextFile } from '../../flags/read-input.ts';

/** Reports of requirements that somebody has written or edited, behind which the designs begin. */
export interface BroughtReports {
  readonly artefactsOf: (id: string) => DesignArtefacts | undefined;
  readonly ids: readonly string[];
  /** Stands in the configuration of a run: with other reports it is another run. */
  readonly sha256: string;
}

/**
 * Reads a file with one line for each requirement: `{"id": "r1", "report": {…}}`, the report as `askema design` writes
 * it. Further fields are left alone.
 *
 * @throws AskemaError `INPUT_INVALID` for a line that is none, with its number.
 */
export async function readReports(place: string, cwd: string): Promise<BroughtReports> {
  const text = await readTextFile(place, cwd, place);
  const reports = new Map<string, DesignArtefacts>();
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const wrong = (why: string): AskemaError =>
      new AskemaError('INPUT_INVALID', `${place}, line ${at + 1}: ${why} Write {"id": "…", "report": {…}}.`);
    const { id, report } = parsed(line, wrong);
    if (typeof id !== 'string') throw wrong('There is no `id`.');
    if (reports.has(id)) throw wrong(`The id ${JSON.stringify(id)} stands twice.`);
    const [problem] = artefactProblems('report', report);
    if (problem !== undefined) throw wrong(`The report cannot be read: ${problem}.`);
    reports.set(id, { report: report as DesignArtefacts['report'] });
  }
  if (reports.size === 0)
    throw new AskemaError('INPUT_INVALID', `${place} holds no report. Write {"id": "…", "report": {…}} a line.`);
  return {
    artefactsOf: (id) => reports.get(id),
    ids: [...reports.keys()],
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

function parsed(line: string, wrong: (why: string) => AskemaError): { id?: unknown; report?: unknown } {
  try {
    return (JSON.parse(line) ?? {}) as { id?: unknown; report?: unknown };
  } catch {
    throw wrong('It is no JSON.');
  }
}
