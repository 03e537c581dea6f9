import type { AttributeId } from '@askema/core';
import type { LinkedCatalog } from '../link/lattice.ts';
import type { Column, Expression, Join, Predicate, Query, Source } from '../write/query.ts';
import type { AggregateMeasure, Condition, EntityLink, EntityNode } from './meaning.ts';

/** Links that were followed already, each by its child: a link has one, and a copy of the link has the same. */
type ClosedLinks = ReadonlySet<EntityNode>;

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
 * The FROM and WHERE of a SELECT whose rows are those of `grain`. Entities of which there is one for each row are joined; others must
 * exist. `needed` are the nodes whose attributes are selected or sorted by; they must be joinable (see `reachableNodes`).
 */
export function createScope(
  grain: EntityNode,
  needed: ReadonlySet<EntityNode>,
  linked: LinkedCatalog,
  inner: { readonly closed: ClosedLinks; readonly problems: string[] } = { closed: new Set(), problems: [] },
): Scope {
  const from: Source = { relation: grain.relation };
  const scope: Scope = { from, joins: [], where: [], sources: new Map([[grain, from]]), linked, problems: inner.problems };
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
      !compared.some(({ source, attribute }) => source === predicate.column.source && attribute === predicate.column.attribute),
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
    if (!isNeeded && !saysAnything(other, link, beyond)) continue;
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

/** The links from a node down to another one. */
export function chainTo(from: EntityNode, to: EntityNode): readonly EntityLink[] {
  const chain: EntityLink[] = [];
  let node = to;
  for (; node !== from && node.up !== undefined; node = node.up.parent) chain.unshift(node.up);
  return node === from ? chain : [];
}

function neighbours(node: EntityNode): readonly EntityLink[] {
  return node.up === undefined ? node.links : [...node.links, node.up];
}

function holdsAny(node: EntityNode, wanted: ReadonlySet<EntityNode>, closed: ClosedLinks): boolean {
  if (wanted.has(node)) return true;
  return neighbours(node).some((link) => {
    if (closed.has(link.child) || link.quantifier.kind !== 'some') return false;
    return holdsAny(link.parent === node ? link.child : link.parent, wanted, new Set([...closed, link.child]));
  });
}

/** True when leaving the node out would lose something that the question says. */
function saysAnything(node: EntityNode, via: EntityLink, closed: ClosedLinks): boolean {
  if (node.conditions.length > 0 || via.required) return true;
  return neighbours(node).some((link) => {
    if (closed.has(link.child)) return false;
    if (link.quantifier.kind !== 'some') return link.parent === node;
    return saysAnything(link.parent === node ? link.child : link.parent, link, new Set([...closed, link.child]));
  });
}

function isLeaf(node: EntityNode, via: EntityLink): boolean {
  return node === via.child && via.edge.direction === 'forward' && node.conditions.length === 0 && node.links.length === 0;
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
  return link.edge.foreignKey.pairs.map((pair) => (holds ? { here: pair.from, there: pair.to } : { here: pair.to, there: pair.from }));
}

/** The equalities that tie an inner SELECT to the row of the outer one. */
function correlation(outer: Scope, node: EntityNode, inner: Scope, other: EntityNode, link: EntityLink): Predicate[] {
  return pairsFrom(link, node).map(({ here, there }) => ({
    kind: 'compare',
    left: columnOf(inner, other, there),
    comparison: '=',
    right: columnOf(outer, node, here),
  }));
}

function exists(scope: Scope, node: EntityNode, link: EntityLink, closed: ClosedLinks, negated = false): Predicate {
  const other = link.parent === node ? link.child : link.parent;
  const inner = createScope(other, new Set(), scope.linked, { closed: new Set([...closed, link.child]), problems: scope.problems });
  inner.where.unshift(...correlation(scope, node, inner, other, link));
  return { kind: 'exists', query: queryOf(inner, []), negated };
}

function quantified(scope: Scope, node: EntityNode, link: EntityLink): Predicate {
  const { quantifier } = link;
  if (quantifier.kind !== 'count') return exists(scope, node, link, new Set(), true);
  const counted = link.counted ?? link.child;
  const measure: AggregateMeasure = { node: counted, function: 'count', attributes: [], distinct: false };
  const query = measureQuery(scope, node, link, measure);
  return {
    kind: 'compare',
    left: { kind: 'scalar', query },
    comparison: quantifier.comparison,
    right: { kind: 'number', value: quantifier.number },
  };
}

/** SELECT of an aggregate over the rows that hang below one link of a node. */
function measureQuery(scope: Scope, node: EntityNode, link: EntityLink, measure: AggregateMeasure): Query {
  const chain = [link.child, ...chainTo(link.child, measure.node).map((step) => step.child)];
  const closed = new Set([link.child]);
  const found = [...chain].reverse().find((candidate) => chain.every((other) => reachableNodes(candidate, closed).has(other)));
  if (found === undefined) scope.problems.push('what is counted');
  const grain = found ?? measure.node;
  const inner = createScope(grain, new Set(chain), scope.linked, { closed, problems: scope.problems });
  inner.where.unshift(...correlation(scope, node, inner, link.child, link));
  return queryOf(inner, [measureExpression(inner, measure, grain)]);
}

/** Nodes of which there is exactly one for each row of this node. */
export function reachableNodes(from: EntityNode, closed: ClosedLinks = new Set()): ReadonlySet<EntityNode> {
  const reached = new Set([from]);
  const queue = [from];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const link of neighbours(node)) {
      if (closed.has(link.child) || link.quantifier.kind !== 'some') continue;
      const down = link.parent === node;
      const other = down ? link.child : link.parent;
      if (reached.has(other) || !(down ? link.edge.functional : link.edge.backFunctional)) continue;
      reached.add(other);
      queue.push(other);
    }
  }
  return reached;
}

/** An aggregate as SQL; entities are counted once each where the rows of the SELECT are finer than theirs. */
export function measureExpression(scope: Scope, measure: AggregateMeasure, grain: EntityNode): Expression {
  const [first, ...rest] = measure.attributes;
  if (measure.function === 'count') {
    if (first !== undefined) return { kind: 'count', argument: columnOf(scope, measure.node, first), distinct: measure.distinct };
    const key = scope.linked.index.primaryKey(measure.node.relation)?.attributes ?? [];
    const [only] = key;
    if (measure.node === grain || only === undefined || key.length > 1) return { kind: 'count', distinct: false };
    return { kind: 'count', argument: columnOf(scope, measure.node, only), distinct: true };
  }
  if (first === undefined) return { kind: 'count', distinct: false };
  const column = columnOf(scope, measure.node, first);
  const argument: Expression =
    rest.length === 0 ? column : { kind: 'product', factors: [column, ...rest.map((attribute) => columnOf(scope, measure.node, attribute))] };
  return { kind: 'aggregate', function: measure.function, argument };
}

function predicateOf(scope: Scope, node: EntityNode, condition: Condition): Predicate {
  switch (condition.kind) {
    case 'flag': {
      const column = columnOf(scope, node, condition.attribute);
      return { kind: 'compare', left: column, comparison: '=', right: { kind: 'bool', value: !condition.negated } };
    }
    case 'in':
    case 'like':
    case 'null':
      return { ...condition, column: columnOf(scope, node, condition.attribute) };
    case 'compare':
      return comparePredicate(scope, node, condition);
    case 'extreme':
      return extremePredicate(scope, node, condition);
    case 'aggregate': {
      const link = chainTo(node, condition.measure.node)[0];
      const right = { kind: 'number', value: condition.value } as const;
      if (link === undefined) return { kind: 'compare', left: { kind: 'count', distinct: false }, comparison: condition.comparison, right };
      const query = measureQuery(scope, node, link, condition.measure);
      return { kind: 'compare', left: { kind: 'scalar', query }, comparison: condition.comparison, right };
    }
    case 'either':
      return { kind: 'or', options: condition.options.map((option) => optionPredicates(scope, node, option)) };
  }
}

function comparePredicate(scope: Scope, node: EntityNode, condition: Extract<Condition, { kind: 'compare' }>): Predicate {
  const column = columnOf(scope, node, condition.attribute);
  const { value, comparison } = condition;
  if (value.kind === 'attribute') return { kind: 'compare', left: column, comparison, right: columnOf(scope, node, value.attribute) };
  if (value.kind === 'number-of-text')
    return { kind: 'compare', left: { kind: 'numeric', argument: column }, comparison, right: { kind: 'number', value: value.value } };
  if (value.kind !== 'overall') return { kind: 'compare', left: column, comparison, right: value };
  const source: Source = { relation: node.relation };
  const argument: Column = { kind: 'column', source, attribute: condition.attribute };
  const query: Query = { ...EMPTY_QUERY, select: [{ kind: 'aggregate', function: value.function, argument }], from: source };
  return { kind: 'compare', left: column, comparison, right: { kind: 'scalar', query } };
}

const EMPTY_QUERY = { distinct: false, joins: [], where: [], groupBy: [], having: [], orderBy: [] } as const;

/** The extreme among the rows that fulfil the node's other conditions: they are repeated inside. */
function extremePredicate(scope: Scope, node: EntityNode, condition: Extract<Condition, { kind: 'extreme' }>): Predicate {
  const copy: EntityNode = {
    relation: node.relation,
    conditions: node.conditions.filter((other) => other !== condition),
    links: [],
  };
  copy.links.push(...node.links.map((link) => ({ ...link, parent: copy })));
  const inner = createScope(copy, new Set(), scope.linked, { closed: new Set(), problems: scope.problems });
  const argument = columnOf(inner, copy, condition.attribute);
  const select: Expression = { kind: 'aggregate', function: condition.end === 'high' ? 'max' : 'min', argument };
  const left = columnOf(scope, node, condition.attribute);
  return { kind: 'compare', left, comparison: '=', right: { kind: 'scalar', query: queryOf(inner, [select]) } };
}

/** What one option of a choice says of the row. Everything beyond the row itself is asked with EXISTS. */
function optionPredicates(scope: Scope, node: EntityNode, option: EntityNode): Predicate[] {
  const predicates = option.conditions.map((condition) => predicateOf(scope, node, condition));
  for (const link of option.links) {
    const fromNode: EntityLink = { ...link, parent: node };
    predicates.push(
      link.quantifier.kind === 'some' ? exists(scope, node, fromNode, new Set([link.child])) : quantified(scope, node, fromNode),
    );
  }
  return predicates;
}
