import type { Imported } from '../formats/conversion.ts';
import type { EntryKind } from '../model/knowledge.ts';
import type { SkipReason } from './logged-statement.ts';

/** What stands behind a proposal. */
export interface MinedProposal {
  /** See `entryId`: `metric:revenue`. */
  readonly id: string;
  readonly kind: EntryKind;
  /** What it says: `SUM(orders.total) where orders.status <> 'cancelled'`. */
  readonly text: string;
  /** Runs of statements in which it stands. */
  readonly count: number;
  /** Of whoever the log names; 0 where it names nobody. */
  readonly users: number;
  /** ISO 8601, where the log has times. */
  readonly last?: string | undefined;
  /** One of the statements, with `?` for each literal. */
  readonly example: string;
  /** What somebody should look at: `no key says which side has one row`. */
  readonly remark?: string | undefined;
}

/**
 * Why a definition is not proposed: too few users share its values (see `values`), people mean one condition and write it
 * in ways that differ, or definitions have no words for it.
 */
export type WithheldReason = 'values of few' | 'no settled condition' | 'not in the language of definitions';

/** What a log teaches: proposals, and what was left out of them. */
export interface MinedKnowledge extends Imported {
  readonly proposals: readonly MinedProposal[];
  /** Statements that were read, and that count. */
  readonly statements: number;
  readonly used: number;
  /** Statements that taught nothing, by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Found again, and not proposed again. */
  readonly known: number;
  /** Metrics and filters that are used often enough and not proposed, by reason. */
  readonly withheld: Readonly<Partial<Record<WithheldReason, number>>>;
}
