import type { Column, Expression, Predicate, Query, Source } from '../write/query.ts';
import { chainTo } from './entity-tree.ts';
import type { Condition, EntityLink, EntityNode } from './meaning.ts';
import { measureQuery, quantified } from './measures.ts';
import { columnOf, createScope, exists, queryOf, type Scope } from './scope.ts';

export function predicateOf(scope: Scope, node: EntityNode, condition: Condition): Predicate {
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
      if (link === undefined)
        return { kind: 'compare', left: { kind: 'count', distinct: false }, comparison: condition.comparison, right };
      const query = measureQuery(scope, node, link, condition.measure);
      return { kind: 'compare', left: { kind: 'scalar', query }, comparison: condition.comparison, right };
    }
    case 'either':
      return { kind: 'or', options: condition.options.map((option) => optionPredicates(scope, node, option)) };
  }
}

function comparePredicate(
  scope: Scope,
  node: EntityNode,
  condition: Extract<Condition, { kind: 'compare' }>,
): Predicate {
  const column = columnOf(scope, node, condition.attribute);
  const { value, comparison } = condition;
  if (value.kind === 'attribute')
    return { kind: 'compare', left: column, comparison, right: columnOf(scope, node, value.attribute) };
  if (value.kind === 'number-of-text')
    return {
      kind: 'compare',
      left: { kind: 'numeric', argument: column },
      comparison,
      right: { kind: 'number', value: value.value },
    };
  if (value.kind !== 'overall') return { kind: 'compare', left: column, comparison, right: value };
  const source: Source = { relation: node.relation };
  const argument: Column = { kind: 'column', source, attribute: condition.attribute };
  const query: Query = {
    ...EMPTY_QUERY,
    select: [{ kind: 'aggregate', function: value.function, argument }],
    from: source,
  };
  return { kind: 'compare', left: column, comparison, right: { kind: 'scalar', query } };
}

const EMPTY_QUERY = { distinct: false, joins: [], where: [], groupBy: [], having: [], orderBy: [] } as const;

/** The extreme among the rows that fulfil the node's other conditions: they are repeated inside. */
function extremePredicate(
  scope: Scope,
  node: EntityNode,
  condition: Extract<Condition, { kind: 'extreme' }>,
): Predicate {
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
export function optionPredicates(scope: Scope, node: EntityNode, option: EntityNode): Predicate[] {
  const predicates = option.conditions.map((condition) => predicateOf(scope, node, condition));
  for (const link of option.links) {
    const fromNode: EntityLink = { ...link, parent: node };
    predicates.push(
      link.quantifier.kind === 'some'
        ? exists(scope, node, fromNode, new Set([link.child]))
        : quantified(scope, node, fromNode),
    );
  }
  return predicates;
}
