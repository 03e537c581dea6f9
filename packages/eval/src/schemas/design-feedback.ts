import { type ChatMessage, feedbackSummary, messageMatrix } from '@askema/core';
import type { DesignResult } from './design-result.ts';

/** Who takes part in the nested chat about the conceptual model. */
const CONCEPTUAL_ROLES: ReadonlySet<string> = new Set(['conceptual-designer', 'conceptual-reviewer']);

/** How often roles sent work back (SchemaAgent, section 6.3). */
export interface FeedbackStatistics {
  /** Requirements with a transcript in which roles could complain. */
  readonly chats: number;
  /** Of these: with at least one complaint. */
  readonly withFeedback: number;
  /** Of these: all complaints between conceptual designer and conceptual reviewer. */
  readonly onlyConceptual: number;
  /** Complaints between conceptual designer and conceptual reviewer. */
  readonly conceptualErrors: number;
  /** All other complaints. */
  readonly otherErrors: number;
}

/** Messages of several transcripts added up. */
export interface TotalMatrix {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** `counts[row][column]`. */
  readonly counts: readonly (readonly number[])[];
}

/** Counts complaints over the transcripts of results; designs of one role have none. */
export function summariseFeedback(results: readonly DesignResult[]): FeedbackStatistics {
  let chats = 0;
  let withFeedback = 0;
  let onlyConceptual = 0;
  let conceptualErrors = 0;
  let otherErrors = 0;
  for (const { outcome } of results) {
    if (outcome === undefined || outcome.rounds === 0) continue;
    chats += 1;
    const { total, pairs } = feedbackSummary(outcome.transcript);
    const conceptual = pairs
      .filter(({ from, to }) => CONCEPTUAL_ROLES.has(from) && CONCEPTUAL_ROLES.has(to))
      .reduce((sum, { count }) => sum + count, 0);
    const all = pairs.reduce((sum, { count }) => sum + count, 0);
    if (total > 0) withFeedback += 1;
    if (total > 0 && conceptual === all) onlyConceptual += 1;
    conceptualErrors += conceptual;
    otherErrors += all - conceptual;
  }
  return { chats, withFeedback, onlyConceptual, conceptualErrors, otherErrors };
}

/** The role-by-role matrix of all transcripts together. */
export function totalMatrix(transcripts: readonly (readonly ChatMessage[])[]): TotalMatrix {
  const from: string[] = [];
  const to: string[] = [];
  const counts = new Map<string, number>();
  for (const transcript of transcripts) {
    const matrix = messageMatrix(transcript);
    for (const [row, sender] of matrix.from.entries()) {
      if (!from.includes(sender)) from.push(sender);
      for (const [column, receiver] of matrix.to.entries()) {
        if (!to.includes(receiver)) to.push(receiver);
        const key = JSON.stringify([sender, receiver]);
        counts.set(key, (counts.get(key) ?? 0) + (matrix.counts[row]?.[column] ?? 0));
      }
    }
  }
  return {
    from,
    to,
    counts: from.map((sender) => to.map((receiver) => counts.get(JSON.stringify([sender, receiver])) ?? 0)),
  };
}
