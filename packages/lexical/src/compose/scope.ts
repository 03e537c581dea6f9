import type { AttributeId } from '@askema/core';
import type { LinkedCatalog } from '../link/lattice.ts';
import type { Column, Expression, Join, Predicate, Query, Source } from '../write/query.ts';
import { addsConditions, type ClosedLinks, chainTo, holdsAny, isLeaf } from './entity-tree.ts';
import type { EntityLink, EntityNode } from './meaning.ts';
import { quantified } from './measures.ts';
import { predicateOf } from './predicates.ts';

/** The sources of one SELECT, with what must hold of them. */
export interface Scope {
  readonly from: Source;
  readonly joins: Join[];
  readonly where: Predicate[];
  readonly sources: Map<EntityNode, Source>;
  readonly linked: LinkedCatalog;
  /** What could not be written; a scope with problems makes no statement. Shared with all inner scopes. */
  readonly problems: string[];
}

/**
 * The FROM and WHERE of a SELECT whose rows are those of `grain`. Entities of which there is one for each row are
 * joined; others must exist. `needed` are the nodes whose attributes are selected or sorted by; they must be joinable
 * (see `reachableNodes`).
 */
export function createScope(
  grain: EntityNode,
  needed: ReadonlySet<EntityNode>,
  linked: LinkedCatalog,
  inner: { readonly closed: ClosedLinks; readonly problems: string[] } = { closed: new Set(), problems: [] },
): Scope {
  const from: Source = { relation: grain.relation };
  const scope: Scope = {
    from,
    joins: [],
    where: [],
    sources: new Map([[grain, from]]),
    linked,
    problems: inner.problems,
  };
  visit(scope, grain, needed, new Set(inner.closed));
  return scope;
}

export function columnOf(scope: Scope, node: EntityNode, attribute: AttributeId): Column {
  return { kind: 'column', source: sourceOf(scope, node), attribute };
}

function sourceOf(scope: Scope, node: EntityNode): Source {
  const source = scope.sources.get(node);
  if (source === undefined) scope.problems.push('how its parts hang together');
  return source ?? scope.from;
}

export function queryOf(scope: Scope, select: readonly Expression[], rest: Partial<Query> = {}): Query {
  return {
    distinct: false,
    groupBy: [],
    having: [],
    orderBy: [],
    ...rest,
    select,
    from: scope.from,
    joins: scope.joins,
    where: withoutVacuous(scope.where),
  };
}

/** What is compared is there: saying so again would make two readings of one. */
function withoutVacuous(where: readonly Predicate[]): Predicate[] {
  const compared = where.flatMap((predicate): Column[] => {
    if (predicate.kind === 'in' || predicate.kind === 'like') return [predicate.column];
    return predicate.kind === 'compare' && predicate.left.kind === 'column' ? [predicate.left] : [];
  });
  return where.filter(
    (predicate) =>
      predicate.kind !== 'null' ||
      !predicate.negated ||
      !compared.some(
        ({ source, attribute }) => source === predicate.column.source && attribute === predicate.column.attribute,
      ),
  );
}

function visit(scope: Scope, node: EntityNode, needed: ReadonlySet<EntityNode>, closed: Set<EntityNode>): void {
  for (const link of measuredLinks(node, needed)) closed.add(link.child);
  for (const condition of node.conditions) scope.where.push(predicateOf(scope, node, condition));
  const links = node.up === undefined ? node.links : [...node.links, node.up];
  for (const link of links) {
    if (closed.has(link.child)) continue;
    const down = link.parent === node;
    const other = down ? link.child : link.parent;
    const counted = link.quantifier.kind !== 'some';
    if (counted) {
      if (down) scope.where.push(quantified(scope, node, link));
      continue;
    }
    const beyond = new Set([...closed, link.child]);
    const isNeeded = holdsAny(other, needed, beyond);
    if (!isNeeded && !addsConditions(other, link, beyond)) continue;
    const functional = down ? link.edge.functional : link.edge.backFunctional;
    if (!functional) scope.where.push(exists(scope, node, link, closed));
    else if (!isNeeded && isLeaf(other, link)) scope.where.push(...presence(scope, node, link));
    else {
      join(scope, node, other, link);
      closed.add(link.child);
      visit(scope, other, needed, closed);
    }
  }
}

/** Links that only lead to what a condition of this node measures. */
function measuredLinks(node: EntityNode, needed: ReadonlySet<EntityNode>): EntityLink[] {
  return node.conditions.flatMap((condition) => {
    if (condition.kind !== 'aggregate' || needed.has(condition.measure.node)) return [];
    const link = chainTo(node, condition.measure.node)[0];
    return link === undefined ? [] : [link];
  });
}

/** That a key points somewhere: no join is needed for it. */
function presence(scope: Scope, node: EntityNode, link: EntityLink): Predicate[] {
  const { index } = scope.linked;
  const key = index.primaryKey(node.relation)?.attributes ?? [];
  const keyed = new Set(index.foreignKeysFrom(node.relation).flatMap(({ pairs }) => pairs.map(({ from }) => from)));
  // A row of a relation that only links others says nothing without its keys.
  if (index.attributesOf(node.relation).every(({ id }) => keyed.has(id))) return [];
  return link.edge.foreignKey.pairs
    .map((pair) => pair.from)
    .filter((attribute) => !index.isNotNull(attribute) && !key.includes(attribute))
    .map((attribute): Predicate => ({ kind: 'null', column: columnOf(scope, node, attribute), negated: true }));
}

function join(scope: Scope, node: EntityNode, other: EntityNode, link: EntityLink): void {
  const source: Source = { relation: other.relation };
  scope.sources.set(other, source);
  const on = pairsFrom(link, node).map(({ here, there }) => ({
    left: columnOf(scope, node, here),
    right: { kind: 'column', source, attribute: there } as const,
  }));
  scope.joins.push({ source, on });
}

/** The pairs of a link's key, seen from one of its ends. */
function pairsFrom(link: EntityLink, node: EntityNode): { readonly here: AttributeId; readonly there: AttributeId }[] {
  const parentHolds = link.edge.direction === 'forward';
  const holds = (link.parent === node) === parentHolds;
  return link.edge.foreignKey.pairs.map((pair) =>
    holds ? { here: pair.from, there: pair.to } : { here: pair.to, there: pair.from },
  );
}

/** The equalities that tie an inner SELECT to the row of the outer one. */
export function correlation(
  outer: Scope,
  node: EntityNode,
  inner: Scope,
  other: EntityNode,
  link: EntityLink,
): Predicate[] {
  return pairsFrom(link, node).map(({ here, there }) => ({
    kind: 'compare',
    left: columnOf(inner, other, there),
    comparison: '=',
    right: columnOf(outer, node, here),
  }));
}

export function exists(
  scope: Scope,
  node: EntityNode,
  link: EntityLink,
  closed: ClosedLinks,
  negated = false,
): Predicate {
  const other = link.parent === node ? link.child : link.parent;
  const inner = createScope(other, new Set(), scope.linked, {
    closed: new Set([...closed, link.child]),
    problems: scope.problems,
  });
  inner.where.unshift(...correlation(scope, node, inner, other, link));
  return { kind: 'exists', query: queryOf(inner, []), negated };
}
