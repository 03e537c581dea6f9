import type { AttributeId, RelationId } from '@askema/core';
import type { Phrase, Quantifier } from '../interpret/frame.ts';
import type { JoinEdge, JoinRoute } from '../link/join-graph.ts';
import type { LinkedCatalog } from '../link/lattice.ts';
import { nameWords } from '../link/vocabulary.ts';
import { lemma, stems } from '../tokenise/lemma.ts';
import type { Assignment } from './assign.ts';
import { attributeClass } from './attribute-class.ts';
import type { Candidate } from './candidates.ts';
import {
  type AggregateMeasure,
  addLink,
  type EntityNode,
  type GroupTarget,
  type MeaningOrder,
  type Superlative,
} from './meaning.ts';

/** A phrase with its place in the meaning. */
export interface Target {
  readonly node: EntityNode;
  readonly candidate: Candidate | undefined;
  /** Set when the phrase speaks of the different values of an attribute ("cities"), not of rows. */
  readonly valuesOf?: AttributeId | undefined;
}

/** Collects a meaning while a frame is walked. What cannot be built is written into `problems`; the walk goes on. */
export interface Builder {
  readonly linked: LinkedCatalog;
  readonly assignment: Assignment;
  readonly targets: Map<Phrase, Target>;
  readonly groups: GroupTarget[];
  readonly superlatives: Superlative[];
  readonly orders: MeaningOrder[];
  readonly problems: string[];
  /** Slots, modifiers and values that have become a part of the meaning. */
  readonly used: Set<object>;
  readonly notes: Set<string>;
  /** Times that something is said of, and whether a verb named them. */
  readonly times: { readonly relation: RelationId; readonly attribute: AttributeId; readonly byVerb: boolean }[];
  /** Decides between ways that are equally short. */
  readonly chooser: RouteChooser;
  /** Lemmas and stems of the question: they tell parallel keys apart. */
  readonly words: ReadonlySet<string>;
  /** Relations whose cells were not all looked through. */
  readonly unsearched: ReadonlySet<RelationId>;
  root: EntityNode | undefined;
}

/** Picks one of several equally good ways; asked in a fixed order, so that all combinations can be tried. */
export interface RouteChooser {
  pick(count: number): number;
}

export function choiceOf(builder: Builder, key: object): Candidate | undefined {
  builder.used.add(key);
  return builder.assignment.choices.get(key);
}

/** Remembers a time, so that two of them are not taken for one. */
export function noteTime({ times, linked }: Builder, { at, attribute }: Candidate, byVerb: boolean): void {
  if (attribute !== undefined && attributeClass(attribute, linked) === 'time')
    times.push({ relation: at, attribute, byVerb });
}

export interface LinkOptions {
  readonly quantifier: Quantifier;
  readonly required: boolean;
  readonly shared: boolean;
}

export const ATTRIBUTE_LINK: LinkOptions = { quantifier: { kind: 'some' }, required: false, shared: true };

/** The sum of an amount, or of the product that makes one. */
export function sumOf(node: EntityNode, { attribute, factor }: Candidate): AggregateMeasure {
  const attributes = [attribute, factor].filter((id) => id !== undefined);
  return { node, function: 'sum', attributes, distinct: false };
}

/** The node where a candidate is at home, seen from another one; the way there is made of links. */
export function reachCandidate(
  builder: Builder,
  from: EntityNode,
  candidate: Candidate,
  options: LinkOptions,
): EntityNode {
  const edges: JoinEdge[] = [...routeBetween(builder, from.relation, candidate.at)];
  if (candidate.role !== undefined) {
    const role = builder.linked.graph
      .edges(candidate.at)
      .find((edge) => edge.foreignKey.id === candidate.role?.id && edge.direction === 'forward');
    if (role === undefined) builder.problems.push('a key that is not there');
    else edges.push(role);
  }
  return walkEdges(from, edges, options);
}

/**
 * Follows edges from a node, along links that are there already where one row can only have one partner, or where links
 * are shared.
 */
function walkEdges(from: EntityNode, edges: readonly JoinEdge[], options: LinkOptions): EntityNode {
  const plain = options.quantifier.kind === 'some';
  let node = from;
  const made: { readonly parent: EntityNode; readonly edge: JoinEdge }[] = [];
  for (const [place, edge] of edges.entries()) {
    const known = plain ? reusableLink(node, edge, options.shared) : undefined;
    if (known !== undefined) {
      node = known;
      continue;
    }
    const first = made.length === 0 && place >= 0;
    made.push({ parent: node, edge });
    node = addLink({
      parent: node,
      edge,
      quantifier: first ? options.quantifier : { kind: 'some' },
      required: options.required,
      shared: options.shared,
    });
  }
  return node;
}

function reusableLink(node: EntityNode, edge: JoinEdge, shared: boolean): EntityNode | undefined {
  // Back where we came from along a key that leads to one row only: the same row.
  if (
    shared &&
    node.up !== undefined &&
    node.up.edge.foreignKey.id === edge.foreignKey.id &&
    node.up.edge.from === edge.to
  ) {
    const sameRow = node.up.edge.backFunctional;
    if (sameRow && node.up.quantifier.kind === 'some') return node.up.parent;
  }
  return node.links.find(
    (link) =>
      link.edge.foreignKey.id === edge.foreignKey.id &&
      link.edge.direction === edge.direction &&
      link.quantifier.kind === 'some' &&
      (edge.functional || (shared && link.shared)),
  )?.child;
}

/** The shortest way; among equally short ones that whose relations and key names the question mentions. */
function routeBetween(builder: Builder, from: RelationId, to: RelationId): JoinRoute {
  const routes = builder.linked.graph.routes(from, to);
  if (routes.length === 0) {
    const name = (id: RelationId): string => builder.linked.index.relation(id)?.name ?? '';
    if (from !== to) builder.problems.push(`a way along keys from ${name(from)} to ${name(to)}`);
    return [];
  }
  const scored = routes.map((route) => ({ route, score: mentionScore(builder, route) }));
  const most = Math.max(...scored.map(({ score }) => score));
  const best = scored.filter(({ score }) => score === most).map(({ route }) => route);
  const route = best[builder.chooser.pick(best.length)] ?? [];
  if (!isClear(builder, route))
    builder.problems.push(`by which way ${relationNames(builder, route)} are meant to belong together`);
  for (const edge of route) if (edge.inferred) builder.notes.add(inferredNote(builder, edge));
  return route;
}

function mentionScore(builder: Builder, route: JoinRoute): number {
  const mentioned = new Set([...builder.assignment.choices.values()].flatMap(({ at, anchor }) => [at, anchor]));
  let score = 0;
  for (const edge of route) {
    if (mentioned.has(edge.to)) score += 1;
    score += roleScore(builder, edge);
  }
  return score;
}

/**
 * The shortest way is the one that is meant where the relations in between only link or are named like one of its
 * ends, where the question names one of them, or where there is no other way.
 */
function isClear(builder: Builder, route: JoinRoute): boolean {
  const between = route.slice(0, -1).map(({ to }) => to);
  const ends = [route[0]?.from, route[route.length - 1]?.to].flatMap((relation) =>
    nameWords(builder.linked.index.relation(relation ?? '')?.name ?? ''),
  );
  const isDetail = (relation: RelationId): boolean =>
    nameWords(builder.linked.index.relation(relation)?.name ?? '').some((word) => ends.includes(word));
  if (between.every((relation) => isPureLink(builder.linked, relation) || isDetail(relation))) return true;
  const mentioned = new Set([...builder.assignment.choices.values()].flatMap(({ at, anchor }) => [at, anchor]));
  return between.some((relation) => mentioned.has(relation)) || !builder.linked.graph.hasDetour(route);
}

/** A relation that holds nothing but keys of others, and maybe a key of its own. */
function isPureLink({ index }: LinkedCatalog, relation: RelationId): boolean {
  const keyed = new Set([
    ...index.foreignKeysFrom(relation).flatMap(({ pairs }) => pairs.map(({ from }) => from)),
    ...(index.primaryKey(relation)?.attributes ?? []),
  ]);
  return index.attributesOf(relation).every(({ id }) => keyed.has(id));
}

function relationNames(builder: Builder, route: JoinRoute): string {
  const name = (relation: RelationId | undefined): string => builder.linked.index.relation(relation ?? '')?.name ?? '';
  return `${name(route[0]?.from)} and ${name(route[route.length - 1]?.to)}`;
}

/**
 * A key whose role the question names is meant. Of two keys of `friend(student_id, friend_id)` to the same relation the
 * one that is named like the relation itself is the other end: somebody's friends are the rows with their
 * `student_id`.
 */
function roleScore(builder: Builder, edge: JoinEdge): number {
  const roles = roleWords(builder, edge);
  const own = nameWords(builder.linked.index.relation(edge.foreignKey.relation)?.name ?? '');
  if (roles.some((word) => own.includes(word))) return edge.direction === 'backward' ? -1 : 0;
  return roles.some((word) => builder.words.has(word)) ? 2 : 0;
}

/** What the name of a key says beyond the name of what it points to: "source" of `source_airport`. */
function roleWords(builder: Builder, edge: JoinEdge): string[] {
  const { index } = builder.linked;
  const target = new Set(nameWords(index.relation(edge.foreignKey.target)?.name ?? ''));
  const words = edge.foreignKey.pairs.flatMap((pair) => nameWords(index.attribute(pair.from)?.name ?? ''));
  return words.filter((word) => !target.has(word) && !KEY_WORDS.has(word)).flatMap((word) => [word, ...stems(word)]);
}

const KEY_WORDS: ReadonlySet<string> = new Set(['id', 'code', 'key', 'number', 'no', 'num', 'fk', 'uid'].map(lemma));

function inferredNote(builder: Builder, edge: JoinEdge): string {
  const { index } = builder.linked;
  const names = edge.foreignKey.pairs.map((pair) => {
    const name = (id: string): string => {
      const attribute = index.attribute(id);
      return `${index.relation(attribute?.relation ?? '')?.name ?? ''}.${attribute?.name ?? ''}`;
    };
    return `${name(pair.from)} = ${name(pair.to)}`;
  });
  return `no key is declared for it, so the tables were joined by ${names.join(' and ')}`;
}
