import path from 'node:path';
import { type RunRecord, readStoredRun } from '../../run/results-store.ts';
import { type DesignResult, isDesignResult } from '../design-result.ts';

/** A run of designs as it lies on the disk, whole or while it is being written. */
export interface StoredDesignRun {
  /** The last part of the folder's path. */
  readonly name: string;
  readonly directory: string;
  readonly run: RunRecord;
  /** The last line of each requirement, in the order in which requirements were first finished. */
  readonly results: readonly DesignResult[];
}

/**
 * Reads the folder of a run of `evaluateDesigns` without its lock; undefined where the run is one of questions, or has
 * no result yet.
 *
 * @throws AskemaError `JOURNAL_INVALID` when the folder holds no run, or a broken one.
 */
export async function readDesignRun(directory: string): Promise<StoredDesignRun | undefined> {
  const { run, results } = await readStoredRun<DesignResult>(directory, () => true);
  const all = [...results.values()];
  if (all.length === 0 || !all.every(isDesignResult)) return undefined;
  return { name: path.basename(path.resolve(directory)), directory, run, results: all };
}
