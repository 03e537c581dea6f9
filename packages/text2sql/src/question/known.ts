import type { ComputedPart, Dialect, KnowledgeAnswer, KnowledgeBasis, SelectedKnowledge } from '@askema/core';
import { significantTokens } from '@askema/sql';

/** What knowledge says to a question. Plain data. */
export interface KnownOfQuestion {
  /** What stands in the prompts. */
  readonly selected?: SelectedKnowledge | undefined;
  /** The answer without a model. */
  readonly answer?: KnowledgeAnswer | undefined;
  /** Why a solver that reads no prompt may not answer. */
  readonly declined?: string | undefined;
}

/** Who wrote an answer of knowledge. */
export const KNOWLEDGE = 'knowledge';

interface KnowingState {
  readonly solvedBy: string | null;
  readonly generatedSql: string | null;
  readonly candidates: readonly { readonly status: string }[];
  readonly known?: KnownOfQuestion | undefined;
  readonly computed?: readonly ComputedPart[] | undefined;
}

/** The answer of knowledge, where nothing else was tried. */
export function standingKnowledge({ known, candidates, solvedBy }: KnowingState): KnowledgeAnswer | undefined {
  const isAlone = solvedBy === KNOWLEDGE && candidates.length === 1;
  return isAlone && candidates[0]?.status === 'chosen' ? known?.answer : undefined;
}

/** The pieces of knowledge that the answer stands on: of metrics those whose statement stands in the one that ran. */
export function knowledgeBases(state: KnowingState, dialect: Dialect): readonly KnowledgeBasis[] {
  const answer = standingKnowledge(state);
  if (answer !== undefined) return answer.basedOn;
  const { computed = [], generatedSql } = state;
  const final = computed.length === 0 ? '' : wordsOfSql(generatedSql ?? '', dialect);
  const standing = computed.filter(({ sql }) => final.includes(wordsOfSql(sql, dialect)));
  const metrics = new Map(standing.flatMap(({ basedOn }) => basedOn.map((basis) => [basis.name, basis])));
  return [...metrics.values(), ...(state.known?.selected?.rules ?? [])];
}

/** Without comments, whatever blanks there are. */
function wordsOfSql(sql: string, { lexer }: Dialect): string {
  return significantTokens(sql, lexer)
    .map(({ text }) => `\n${text}\n`)
    .join('');
}
