import type { ComputedPart } from '@askema/core';
import type { AlignedSql, ReadAs } from '@askema/lint';

/** What became of a statement before it ran. */
export interface AlignedStatement extends AlignedSql {
  /** What could not be looked up, for the person who asked. */
  readonly warnings: readonly string[];
  /** The metrics in it, computed as they are defined. */
  readonly computed?: readonly ComputedPart[] | undefined;
}

/** Where it is kept what became of statements. */
interface ReadAsKeeper {
  readAs?: readonly ReadAs[] | undefined;
  computed?: readonly ComputedPart[] | undefined;
  warnings: string[];
}

/** Keeps what became of a statement, for the outcome. */
export function keepReadAs(state: ReadAsKeeper, aligned: AlignedStatement | undefined): void {
  if (aligned === undefined) return;
  const { computed } = aligned;
  if (computed !== undefined) state.computed = [...(state.computed ?? []), ...computed];
  state.readAs = [...(state.readAs ?? []), ...aligned.readAs];
  state.warnings.push(...aligned.warnings);
}

/** What stands in a statement in the place of what was written; each once. */
export function readAsIn(sql: string | null | undefined, readAs: readonly ReadAs[] = []): readonly ReadAs[] {
  const standing = readAs.filter(({ literal }) => sql?.includes(literal) === true);
  return [...new Map(standing.map((one) => [readAsText(one), one])).values()];
}

/** How a value was read, as a sentence for the person who asked. */
export function readAsText({ value, stored, column }: Pick<ReadAs, 'value' | 'stored' | 'column'>): string {
  return `“${value}” was read as the stored “${stored}”${column === '' ? '' : ` of ${column}`}.`;
}

/** A text with the sentences behind it that it does not hold yet. */
export function withReadAs(text: string, readAs: readonly ReadAs[]): string {
  const sentences = readAs.map(readAsText).filter((sentence) => !text.includes(sentence));
  return [text, ...sentences].filter((part) => part !== '').join(' ');
}

/** True where only case, accents, blanks or punctuation differ. */
export function isSameWords(value: string, stored: string): boolean {
  return bare(value) === bare(stored);
}

function bare(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
