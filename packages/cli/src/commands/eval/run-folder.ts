import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { AskemaError, nearestNames } from '@askema/core';

const RUN_FILE = 'run.json';
const FILES = ['results.jsonl', RUN_FILE, 'summary.json'];
/** Runs that are named where another one was meant. */
const NAMED = 5;

/**
 * The folder of a run, absolute; who names one of its files means the run.
 *
 * @throws AskemaError `INPUT_INVALID` where there is none, with the runs that lie there.
 */
export function findRunFolder(place: string, cwd: string): string {
  const named = resolve(cwd, place);
  const folder = FILES.includes(basename(named)) ? dirname(named) : named;
  if (existsSync(join(folder, RUN_FILE))) return folder;
  const within = runsIn(folder);
  const beside = runsIn(dirname(folder));
  const names = within.length > 0 ? within : beside;
  const near = nearestNames(
    basename(folder),
    names.map((run) => basename(run)),
  );
  const found = names.filter((run) => near.length === 0 || within.length > 0 || near.includes(basename(run)));
  const hint = found.slice(0, NAMED).map((run) => relative(cwd, run));
  throw new AskemaError(
    'INPUT_INVALID',
    `There is no run in ${place}: no ${RUN_FILE}. Name the folder that \`askema eval run\` was given as --out.${hint.length === 0 ? '' : ` There are: ${hint.join(', ')}.`}`,
    { details: { nearestNames: near } },
  );
}

function runsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((run) => existsSync(join(run, RUN_FILE)))
      .sort();
  } catch {
    return [];
  }
}
