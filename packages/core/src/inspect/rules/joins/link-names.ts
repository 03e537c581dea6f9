import { quoteIfNeeded } from '../../../adapter/quote-name.ts';
import type { AttributeId, ForeignKey, RelationId } from '../../../schema/schema.ts';
import { relationLabel } from '../../resolve/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { JoinGraph, JoinNode, NodeColumn } from './join-graph.ts';

/** A relation of a block as a person calls it: `orders`, or `orders (T1)` where it has an alias. */
export function nodeName(query: ResolvedQuery, node: JoinNode): string {
  const { resolved, shape } = node;
  const own = resolved.kind === 'relation' ? query.index.relation(resolved.id)?.name : shape.name.at(-1)?.text;
  const exposed = shape.alias?.text;
  if (own === undefined) return exposed ?? 'the sub-query';
  return exposed === undefined || exposed.toLowerCase() === own.toLowerCase() ? own : `${own} (${exposed})`;
}

/** A column as the statement can write it: behind the alias or the name of its relation. */
export function columnSql(query: ResolvedQuery, graph: JoinGraph, column: NodeColumn): string {
  const label = relationLabel(query, { block: graph.block.block.id, relation: column.relation });
  const name = query.index.attribute(column.key)?.name ?? column.key;
  return `${label}.${quoteIfNeeded(name, query.dialect)}`;
}

/** `orders.customer_id`: an attribute with its relation. */
export function attributeTitle(query: ResolvedQuery, id: AttributeId): string {
  const attribute = query.index.attribute(id);
  if (attribute === undefined) return id;
  return `${query.index.relation(attribute.relation)?.name ?? ''}.${attribute.name}`;
}

/** `orders.customer_id = customers.customer_id`, with AND between the pairs of a composite key. */
export function keyName(query: ResolvedQuery, key: ForeignKey): string {
  return key.pairs.map(({ from, to }) => `${attributeTitle(query, from)} = ${attributeTitle(query, to)}`).join(' AND ');
}

/** The foreign keys between two relations, in either direction. */
export function keysBetween(query: ResolvedQuery, left: RelationId, right: RelationId): readonly ForeignKey[] {
  return [
    ...query.index.foreignKeysFrom(left).filter(({ target }) => target === right),
    ...(left === right ? [] : query.index.foreignKeysFrom(right).filter(({ target }) => target === left)),
  ];
}

/** A foreign key between two relations of a block as the condition of their join; undefined where it connects other relations. */
export function keyCondition(
  query: ResolvedQuery,
  graph: JoinGraph,
  key: ForeignKey,
  left: number,
  right: number,
): string | undefined {
  const id = (node: number): RelationId | undefined => {
    const resolved = graph.nodes[node]?.resolved;
    return resolved?.kind === 'relation' ? resolved.id : undefined;
  };
  const isForward = id(left) === key.relation && id(right) === key.target;
  if (!isForward && !(id(right) === key.relation && id(left) === key.target)) return undefined;
  const [from, to] = isForward ? [left, right] : [right, left];
  return key.pairs
    .map((pair) => {
      const sides = [
        columnSql(query, graph, { relation: from, key: pair.from, attribute: pair.from }),
        columnSql(query, graph, { relation: to, key: pair.to, attribute: pair.to }),
      ];
      return (isForward ? sides : sides.reverse()).join(' = ');
    })
    .join(' AND ');
}
