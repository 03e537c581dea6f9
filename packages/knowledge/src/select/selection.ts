import type { EntryKind } from '../model/knowledge.ts';

/** An entry that a question needs, and why. */
export interface SelectedItem {
  /** See `entryId`: `metric:revenue`. */
  readonly id: string;
  readonly kind: EntryKind;
  /** In a few words. It holds words of the question and names of the knowledge. */
  readonly reason: string;
}

export const SECTIONS = ['Metrics', 'Values', 'Rules', 'Verified queries, as examples'] as const;

/** Something that may be shown, with its place. */
export interface Candidate {
  readonly item: SelectedItem;
  readonly section: (typeof SECTIONS)[number];
  /** Without the dash before it. */
  readonly line: string;
  /** It says nothing where its entry is not shown otherwise. */
  readonly isBeside?: boolean | undefined;
  /** Where it stands in its section: compared from left to right, lower comes first. */
  readonly order: readonly number[];
}
