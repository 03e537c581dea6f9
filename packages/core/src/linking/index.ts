export { areKnownEquivalents, knownEquivalents } from './known-equivalents.ts';
export type { Likeness, LikenessKind } from './likeness.ts';
export { LIKENESS_SCORES, likeness } from './likeness.ts';
export type { ProbeValuesOptions } from './probe-values.ts';
export { probeValues } from './probe-values.ts';
export type { RankCellsOptions, RankedCell } from './rank-cells.ts';
export { MIN_CELL_SCORE, rankCells } from './rank-cells.ts';
export type { SurfaceForms } from './surface-forms.ts';
export { MAX_SURFACE_CHARACTERS, surfaceForms } from './surface-forms.ts';
