export { compress } from './compress/compress.ts';
export { firstRelations } from './compress/first-relations.ts';
export { namePattern } from './compress/name-patterns.ts';
export { STANDARD_IDENTIFIERS, STANDARD_LEXER } from './compress/standard-identifiers.ts';

export { checkProbe } from './explore/check-probe.ts';
export { isComparable } from './explore/column-profile.ts';
export { drawSamples, type Sample } from './explore/draw-samples.ts';
export {
  EXPLORATION_PRESETS,
  type ExplorationLimits,
  type ExplorationOptions,
  type ExplorationPreset,
  explorationLimits,
} from './explore/exploration-limits.ts';
export { findNameFix, mentionsName } from './explore/name-fix.ts';
export { type ProbeRules, probeRules } from './explore/next-action.ts';
export {
  type CurrentProbe,
  cutBytes,
  distinctProbes,
  type Finding,
  type NameFix,
  type Probe,
  type ProbeCounts,
  type ProbeFailure,
  type ProbeRun,
  probeFailure,
  type StopReason,
} from './explore/probe-run.ts';
export { countOf, throwIfOver } from './explore/profile-relation.ts';
export { boundedSource, type ProfileSource, SOURCE_PROBE } from './explore/profile-statement.ts';
export { type ProbeHost, type ProbesDone, runProbes } from './explore/run-probes.ts';

export { type InferKeysOptions, type InferredKey, inferKeys, withInferredKeys } from './keys/infer-keys.ts';
export { createKeptCells, type KeptCells } from './linking/kept-cells.ts';
export { knownEquivalents } from './linking/known-equivalents.ts';
export { LIKENESS_SCORES, type Likeness, type LikenessKind, likeness } from './linking/likeness.ts';
export { type ProbeValuesOptions, probeValues, searchValues, type ValueSearch } from './linking/probe-values.ts';
export { MIN_CELL_SCORE, type RankCellsOptions, type RankedCell, rankCells } from './linking/rank-cells.ts';
export { type CoveringValueIndex, type ScanCellsOptions, scanCells } from './linking/scan-cells.ts';
export { textAttributes } from './linking/searchable-attributes.ts';
export { type SurfaceForms, singularOf, surfaceForms } from './linking/surface-forms.ts';

export { dialectServices, type Services, servicesOf } from './services.ts';

export {
  type CatalogCache,
  type CatalogCacheOptions,
  createCatalogCache,
  type FindOptions,
  type FoundCatalog,
} from './stored-catalog/catalog-cache.ts';
export type { DrawnValues, StoredSamples } from './stored-catalog/catalog-file.ts';

export { type Bm25, type Bm25Match, type Bm25Options, createBm25, type WeightedText } from './words/bm25.ts';
export { contentWords } from './words/content-words.ts';
export { splitWords } from './words/split-words.ts';
