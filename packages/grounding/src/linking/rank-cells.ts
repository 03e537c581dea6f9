import { type LikenessKind, likeness } from './likeness.ts';
import { type SurfaceForms, surfaceForms } from './surface-forms.ts';

export interface RankedCell {
  /** Exactly as stored. */
  readonly value: string;
  readonly score: number;
  readonly how: LikenessKind;
}

export interface RankCellsOptions {
  readonly limit: number;
  /** Less alike cells are left out. Default {@link MIN_CELL_SCORE}. */
  readonly minScore?: number | undefined;
}

/** Below it two texts have hardly more in common than chance gives. */
export const MIN_CELL_SCORE = 0.5;

/**
 * The cells most like a text, best first; of equally alike ones the shorter first, then by their text. A cell that
 * occurs twice is listed once. Forms that were made before can be passed to save time.
 */
export function rankCells(
  text: string | SurfaceForms,
  cells: Iterable<string | SurfaceForms>,
  { limit, minScore = MIN_CELL_SCORE }: RankCellsOptions,
): readonly RankedCell[] {
  const wanted = typeof text === 'string' ? surfaceForms(text) : text;
  const ranked = new Map<string, RankedCell>();
  for (const cell of cells) {
    const forms = typeof cell === 'string' ? surfaceForms(cell) : cell;
    const { score, how } = likeness(wanted, forms);
    if (score >= minScore && score > 0 && !ranked.has(forms.text))
      ranked.set(forms.text, { value: forms.text, score, how });
  }
  return [...ranked.values()].sort(byScore).slice(0, limit);
}

function byScore(a: RankedCell, b: RankedCell): number {
  return b.score - a.score || a.value.length - b.value.length || (a.value < b.value ? -1 : 1);
}
