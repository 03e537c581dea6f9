import type { Catalog, SchemaIndex, ValueMatch } from '@askema/core';
import type { Token } from '../tokenise/token.ts';
import { tokenise } from '../tokenise/tokenise.ts';
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
  /** Words that share their stem with a name, and whole names like `directed_by`: what they denote as verbs. */
  readonly verbs: ReadonlyMap<number, readonly TermMention[]>;
}

export function createLattice(question: string, values: readonly ValueMatch[], linked: LinkedCatalog): Lattice {
  const tokens = tokenise(question);
  const terms = linkTerms(tokens, linked.vocabulary);
  return {
    question,
    tokens,
    terms,
    verbs: linkVerbs(tokens, terms, linked.vocabulary),
    values: linkValues(question, tokens, values, linked.index),
  };
}
