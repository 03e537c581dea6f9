import type { Catalog, SchemaIndex, ValueMatch } from '@askema/core';
import type { Token } from '../tokenise/token.ts';
import { tokenise } from '../tokenise/tokenise.ts';
import { type EvidenceLinks, readEvidence } from './evidence.ts';
import { createJoinGraph, type JoinGraph } from './join-graph.ts';
import { linkTerms, linkVerbs } from './link-terms.ts';
import { linkValues } from './link-values.ts';
import type { TermMention, ValueMention } from './links.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';

/** Everything about a catalog that does not depend on the question. */
export interface LinkedCatalog {
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  readonly vocabulary: Vocabulary;
  readonly graph: JoinGraph;
}

export function linkCatalog(catalog: Catalog, index: SchemaIndex): LinkedCatalog {
  const graph = createJoinGraph(catalog, index);
  return { catalog, index, vocabulary: createVocabulary(catalog, index, graph), graph };
}

/** A question with everything that its pieces may denote. */
export interface Lattice {
  readonly question: string;
  readonly tokens: readonly Token[];
  /** By first token, longest first. */
  readonly terms: ReadonlyMap<number, readonly TermMention[]>;
  readonly values: ReadonlyMap<number, readonly ValueMention[]>;
  readonly evidence: EvidenceLinks;
  /** Words that share their stem with a name, and whole names like `directed_by`: what they denote as verbs. */
  readonly verbs: ReadonlyMap<number, readonly TermMention[]>;
}

export function createLattice(
  question: string,
  values: readonly ValueMatch[],
  linked: LinkedCatalog,
  evidence?: string | undefined,
): Lattice {
  const tokens = tokenise(question);
  const hints = readEvidence(evidence, tokens, linked);
  const terms = withHints(linkTerms(tokens, linked.vocabulary), hints.terms);
  return {
    evidence: hints,
    question,
    tokens,
    terms,
    verbs: linkVerbs(tokens, terms, linked.vocabulary),
    values: withHints(linkValues(question, tokens, values, linked.index), hints.values),
  };
}

/** What a hint says of a piece of the question takes the place of what was found for the same piece. */
function withHints<T extends { readonly start: number; readonly end: number }>(
  found: ReadonlyMap<number, readonly T[]>,
  hints: readonly T[],
): ReadonlyMap<number, readonly T[]> {
  if (hints.length === 0) return found;
  const merged = new Map(found);
  for (const hint of hints) {
    const others = (merged.get(hint.start) ?? []).filter(({ end }) => end !== hint.end);
    merged.set(
      hint.start,
      [hint, ...others].sort((a, b) => b.end - a.end),
    );
  }
  return merged;
}
