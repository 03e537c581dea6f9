import { AskemaError } from '@askema/core';
import type { Dataset } from '../datasets/dataset.ts';
import type { EvaluationSummary } from './evaluation-options.ts';

export interface MergeRunsOptions {
  /** Adds what the summary cannot know without it: lines of the dataset that cannot be used. */
  readonly dataset?: Dataset | undefined;
  /** Merges although configurations or questions differ. Default: false. */
  readonly force?: boolean | undefined;
}

export interface MergedRuns {
  readonly summary: EvaluationSummary;
  /** Questions that several folders had; the result that was finished last counts, a `failed` one only without another. */
  readonly repeated: number;
  /** Shards that no folder is of: `['2/4']`. */
  readonly missingShards: readonly string[];
}

/**
 * Puts the folders of one run together, its shards for example, in a new folder that is read, compared and gone on with as any other.
 *
 * @throws AskemaError `CONFIG_INVALID` when they are not of one run, or `out` holds something; `JOURNAL_INVALID` for a folder without a run.
 */
export async function mergeRuns(
  directories: readonly string[],
  out: string,
  options: MergeRunsOptions = {},
): Promise<MergedRuns> {
  throw new AskemaError('INTERNAL', `${directories.length} ${out} ${options.force}`);
}
