import type { Catalog, Dialect, GenerateSqlInput, RelationId, SchemaIndex, ValueMatch } from '@askema/core';
import { undone, withoutFillers } from '../tokenise/fillers.ts';
import type { Token } from '../tokenise/token.ts';
import { tokenise } from '../tokenise/tokenise.ts';
import { type EvidenceLinks, readEvidence } from './evidence.ts';
import { type Figures, findFigures } from './figures.ts';
import { createJoinGraph, type JoinGraph } from './join-graph.ts';
import { linkTerms, linkVerbs } from './link-terms.ts';
import type { TermLink, TermMention, ValueLink, ValueMention } from './links.ts';
import { createVocabulary, nameWords, type Vocabulary } from './vocabulary.ts';

/** Everything about a catalog that does not depend on the question. */
export interface LinkedCatalog {
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  /** Attributes without a native type hold cells of any. */
  readonly hasUntyped: boolean;
  readonly vocabulary: Vocabulary;
  readonly graph: JoinGraph;
}

export function linkCatalog(catalog: Catalog, index: SchemaIndex, dialect?: Pick<Dialect, 'types'>): LinkedCatalog {
  const graph = createJoinGraph(catalog, index);
  const hasUntyped = dialect?.types.untypedAttributes === true;
  return { catalog, index, hasUntyped, vocabulary: createVocabulary(catalog, index, graph), graph };
}

/** A question with everything that its pieces may denote. */
export interface Lattice {
  readonly question: string;
  readonly tokens: readonly Token[];
  /** By first token, longest first. */
  readonly terms: ReadonlyMap<number, readonly TermMention[]>;
  readonly values: ReadonlyMap<number, readonly ValueMention[]>;
  readonly figures: Figures;
  readonly evidence: EvidenceLinks;
  /** Relations whose cells were not all looked through. */
  readonly unsearched: ReadonlySet<RelationId>;
  /** Words that share their stem with a name, and whole names like `directed_by`: what they denote as verbs. */
  readonly verbs: ReadonlyMap<number, readonly TermMention[]>;
}

type LatticeInput = Pick<GenerateSqlInput, 'question' | 'values' | 'evidence' | 'unsearched'>;

/** A pipeline that keeps no count of what it searched is taken to have left out what is bigger, or of unknown size. */
const SEARCHED_ROWS = 50_000;

function tooBig({ schema, relations }: Catalog): RelationId[] {
  const rows = (id: RelationId): number => relations[id]?.rowCount ?? Number.POSITIVE_INFINITY;
  return schema.relations.map(({ id }) => id).filter((id) => rows(id) > SEARCHED_ROWS);
}

export function createLattice(
  { question, values, evidence, unsearched }: LatticeInput,
  linked: LinkedCatalog,
): Lattice {
  const isCell = new Set(values.map(({ mention }) => mention.toLowerCase()));
  const tokens = withoutFillers(tokenise(question)).flatMap((token) =>
    isCell.has(token.lower) ? [token] : undone(token),
  );
  const hints = readEvidence(evidence, tokens, linked);
  const figures = findFigures(linked.vocabulary);
  const cells = withHints(linkValues(question, tokens, values, linked.index), hints.values);
  const terms = withHints(
    withoutFlags(linkTerms(tokens, linked.vocabulary, figures), cells, linked.index),
    hints.terms,
  );
  return {
    evidence: hints,
    unsearched: new Set(unsearched ?? tooBig(linked.catalog)),
    question,
    tokens,
    figures,
    terms,
    verbs: linkVerbs(tokens, terms, linked.vocabulary),
    values: cells,
  };
}

/** What a flag costs as a noun: "organic items" asks for items. */
const FLAG_AS_NOUN = 0.4;

/** The name of a column that holds yes and no is found among its cells too: it says what things are, and names none. */
function withoutFlags(
  terms: ReadonlyMap<number, readonly TermMention[]>,
  cells: ReadonlyMap<number, readonly ValueMention[]>,
  index: SchemaIndex,
): ReadonlyMap<number, readonly TermMention[]> {
  const flags = new Map<number, Set<string>>();
  for (const [start, mentions] of cells) {
    const found = mentions.flatMap(({ text, links }) =>
      links
        .filter(({ attribute, value }) => value.toLowerCase() !== text.toLowerCase() && isNamed(text, attribute, index))
        .map(({ attribute }) => attribute),
    );
    if (found.length > 0) flags.set(start, new Set(found));
  }
  if (flags.size === 0) return terms;
  const dearer =
    (start: number) =>
    (link: TermLink): TermLink =>
      link.kind === 'attribute' && flags.get(start)?.has(link.attribute) === true
        ? { ...link, cost: link.cost + FLAG_AS_NOUN }
        : link;
  return new Map(
    [...terms].map(([start, mentions]) => [
      start,
      mentions.map((mention) => ({ ...mention, links: mention.links.map(dearer(start)) })),
    ]),
  );
}

function isNamed(text: string, attribute: string, index: SchemaIndex): boolean {
  const words = nameWords(index.attribute(attribute)?.name ?? '');
  return nameWords(text).every((word) => words.includes(word));
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

/** Tokens of the longest cell that is looked for outside of quotation marks. */
const MAX_TOKENS = 14;
/** Cells that one piece may mean at most. */
const MAX_LINKS = 40;

/** Where the matched cells stand in the question, by the token that they begin with, longest first. */
function linkValues(
  question: string,
  tokens: readonly Token[],
  values: readonly ValueMatch[],
  index: SchemaIndex,
): ReadonlyMap<number, readonly ValueMention[]> {
  const byMention = groupByMention(values, index);
  const mentions = new Map<number, readonly ValueMention[]>();
  if (byMention.size === 0) return mentions;
  tokens.forEach((token, start) => {
    const found: ValueMention[] = [];
    if (token.kind === 'quoted') {
      const links = byMention.get(token.lower.trim());
      if (links !== undefined) found.push({ start, end: start + 1, text: token.text, quoted: true, links });
    } else {
      for (let end = Math.min(tokens.length, start + MAX_TOKENS); end > start; end -= 1) {
        const text = question.slice(token.start, tokens[end - 1]?.end);
        const links = byMention.get(text.toLowerCase());
        if (links !== undefined) found.push({ start, end, text, quoted: false, links });
      }
    }
    if (found.length > 0) mentions.set(start, found);
  });
  return mentions;
}

function groupByMention(values: readonly ValueMatch[], index: SchemaIndex): Map<string, ValueLink[]> {
  const groups = new Map<string, ValueLink[]>();
  for (const { mention, attribute, value, score } of values) {
    const relation = index.attribute(attribute)?.relation;
    if (relation === undefined) continue;
    const key = mention.trim().toLowerCase();
    const link: ValueLink = { relation, attribute, value, cost: Math.max(0, 1 - score) };
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [link]);
    else if (group.length < MAX_LINKS) group.push(link);
  }
  return groups;
}
