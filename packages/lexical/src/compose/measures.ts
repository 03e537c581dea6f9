import type { Expression, Predicate, Query } from '../write/query.ts';
import { chainTo, reachableNodes } from './entity-tree.ts';
import type { AggregateMeasure, EntityLink, EntityNode } from './meaning.ts';
import { optionPredicates } from './predicates.ts';
import { columnOf, correlation, createScope, exists, queryOf, type Scope } from './scope.ts';

export function quantified(scope: Scope, node: EntityNode, link: EntityLink): Predicate {
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
export function measureQuery(scope: Scope, node: EntityNode, link: EntityLink, measure: AggregateMeasure): Query {
  const chain = [link.child, ...chainTo(link.child, measure.node).map((step) => step.child)];
  const closed = new Set([link.child]);
  const found = [...chain]
    .reverse()
    .find((candidate) => chain.every((other) => reachableNodes(candidate, closed).has(other)));
  if (found === undefined) scope.problems.push('what is counted');
  const grain = found ?? measure.node;
  const inner = createScope(grain, new Set(chain), scope.linked, { closed, problems: scope.problems });
  inner.where.unshift(...correlation(scope, node, inner, link.child, link));
  return queryOf(inner, [measureExpression(inner, measure, grain)]);
}

/** An aggregate as SQL; entities are counted once each where the rows of the SELECT are finer than theirs. */
export function measureExpression(scope: Scope, measure: AggregateMeasure, grain: EntityNode): Expression {
  const [first, ...rest] = measure.attributes;
  if (measure.function === 'count') {
    if (first !== undefined)
      return { kind: 'count', argument: columnOf(scope, measure.node, first), distinct: measure.distinct };
    const key = scope.linked.index.primaryKey(measure.node.relation)?.attributes ?? [];
    const [only] = key;
    if (measure.node === grain || only === undefined || key.length > 1) return { kind: 'count', distinct: false };
    return { kind: 'count', argument: columnOf(scope, measure.node, only), distinct: true };
  }
  if (measure.part !== undefined) {
    if (measure.node !== grain) scope.problems.push('a share of rows of another kind');
    return { kind: 'share', predicates: optionPredicates(scope, measure.node, measure.part) };
  }
  if (first === undefined || measure.function === 'share') return { kind: 'count', distinct: false };
  const column = columnOf(scope, measure.node, first);
  const argument: Expression =
    rest.length === 0
      ? column
      : { kind: 'product', factors: [column, ...rest.map((attribute) => columnOf(scope, measure.node, attribute))] };
  return { kind: 'aggregate', function: measure.function, argument };
}
