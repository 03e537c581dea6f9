import type { KnowledgeAnswer, KnowledgeBasis, SelectedKnowledge } from '@askema/core';

/** What knowledge says to a question. Plain data. */
export interface KnownOfQuestion {
  /** What stands in the prompts. */
  readonly selected?: SelectedKnowledge | undefined;
  /** The answer without a model. */
  readonly answer?: KnowledgeAnswer | undefined;
  /** Why a solver that reads no prompt may not answer. */
  readonly declined?: string | undefined;
}

/** The metrics that a statement computes. */
export interface MetricsOfStatement {
  readonly sql: string;
  readonly basedOn: readonly KnowledgeBasis[];
}

/** Who wrote an answer of knowledge. */
export const KNOWLEDGE = 'knowledge';

interface KnowingState {
  readonly solvedBy: string | null;
  readonly generatedSql: string | null;
  readonly candidates: readonly { readonly status: string }[];
  readonly known?: KnownOfQuestion | undefined;
  readonly computed?: readonly MetricsOfStatement[] | undefined;
}

/** The answer of knowledge, where nothing else was tried. */
export function standingKnowledge({ known, candidates, solvedBy }: KnowingState): KnowledgeAnswer | undefined {
  const isAlone = solvedBy === KNOWLEDGE && candidates.length === 1;
  return isAlone && candidates[0]?.status === 'chosen' ? known?.answer : undefined;
}

/** The pieces of knowledge that the answer stands on. */
export function knowledgeBases(state: KnowingState): readonly KnowledgeBasis[] {
  const answer = standingKnowledge(state);
  if (answer !== undefined) return answer.basedOn;
  const computed = state.computed?.findLast(({ sql }) => sql === state.generatedSql);
  return [...(computed?.basedOn ?? []), ...(state.known?.selected?.rules ?? [])];
}
