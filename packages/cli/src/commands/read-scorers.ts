import { AskemaError, didYouMean } from '@askema/core';
import { createScorers, SCORER_NAMES, type SchemaScorer } from '@askema/eval';

/** How schemas are compared with gold. */
export interface ScorerFlags {
  /** Names, or `all`. */
  readonly scorer?: readonly string[] | undefined;
}

/**
 * The scorers of `--scorer`; default: `strict`.
 *
 * @throws AskemaError `INPUT_INVALID` for a name that is none.
 */
export async function readScorers(
  { scorer = ['strict'] }: ScorerFlags,
  _cwd: string,
): Promise<readonly SchemaScorer[]> {
  const names = scorer.includes('all') ? SCORER_NAMES : scorer;
  const known = [...new Set(names)].map((name) => {
    const found = SCORER_NAMES.find((each) => each === name);
    if (found !== undefined) return found;
    throw new AskemaError(
      'INPUT_INVALID',
      `There is no scorer \`${name}\`. ${didYouMean(name, SCORER_NAMES)} Scorers: ${SCORER_NAMES.join(', ')}, all.`,
    );
  });
  return createScorers(known);
}
