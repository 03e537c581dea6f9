import { type AttributeId, type ForeignKey, quoteIfNeeded, type RelationId, type Span } from '@askema/core';
import type { RelationShape } from '@askema/sql';
import { relationLabel } from '../../resolve/query-facts.ts';
import type { ResolvedBlock, ResolvedQuery, ResolvedRelation } from '../../resolve/resolved-query.ts';

/** Sets of columns, each of which no two rows share. An empty set: there is one row at most. */
export type BlockKeys = readonly (readonly string[])[];

/** A column of one relation of a block. */
export interface NodeColumn {
  /** Index into the block's relations. */
  readonly relation: number;
  /**
   * Tells it from the other columns of its relation: the id of its attribute, or the folded name of a block's output.
   */
  readonly key: string;
  /** The attribute whose cells it holds, passed through any number of blocks. */
  readonly attribute: AttributeId | undefined;
}

/** A relation of a block with what is known of its rows. */
export interface JoinNode {
  /** Index into the block's relations. */
  readonly relation: number;
  readonly shape: RelationShape;
  readonly resolved: ResolvedRelation;
  /**
   * Keys of {@link NodeColumn} that no two rows share; an empty one says that there is one row at most. Undefined where
   * none is known.
   */
  readonly keys: BlockKeys | undefined;
}

/** Two columns of different relations that must be equal for a row to be there. */
export interface JoinLink {
  readonly left: NodeColumn;
  readonly right: NodeColumn;
  /** The comparison; of USING the name in its list, of NATURAL the join. */
  readonly span: Span;
  readonly from: 'on' | 'where' | 'using' | 'natural';
  /** Index into the block's joins; undefined for `where`. */
  readonly join: number | undefined;
  /** Both sides are the bare columns: no TRIM, no CAST around them. */
  readonly exact: boolean;
  /** Indexes into the block's columns, as they stand to the left and the right; undefined for USING and NATURAL. */
  readonly columns: readonly [left: number, right: number] | undefined;
}

/** The relations of one SELECT and what connects them. */
export interface JoinGraph {
  readonly block: ResolvedBlock;
  readonly nodes: readonly JoinNode[];
  readonly links: readonly JoinLink[];
  /**
   * Columns that a condition which always holds compares with a literal, a parameter or a column of a block around this
   * one.
   */
  readonly fixed: readonly NodeColumn[];
}

/**
 * The column of a relation of this very block that a reference names; undefined for anything else and for fields inside
 * a column.
 */
export function nodeColumn(resolved: ResolvedBlock, column: number): NodeColumn | undefined {
  const found = resolved.columns[column];
  if (found === undefined || resolved.block.columns[column]?.path !== undefined) return undefined;
  if (found.kind === 'attribute' && found.relation.block === resolved.block.id)
    return { relation: found.relation.relation, key: found.attribute, attribute: found.attribute };
  if (found.kind === 'output' && found.relation.block === resolved.block.id) {
    const name = resolved.block.columns[column]?.name.text ?? '';
    return { relation: found.relation.relation, key: name.toLowerCase(), attribute: found.output.attribute };
  }
  return undefined;
}

/** True where two references of a block, by their indexes, name the same column of the same relation of that block. */
export function isSameColumn(resolved: ResolvedBlock, one: number, other: number): boolean {
  const [a, b] = [nodeColumn(resolved, one), nodeColumn(resolved, other)];
  return a !== undefined && b !== undefined && a.relation === b.relation && a.key === b.key;
}

/** What is known at the start. */
export interface Known {
  /** Relations of which one row is given. */
  readonly nodes?: readonly number[] | undefined;
  /** Columns whose value is given. */
  readonly columns?: readonly NodeColumn[] | undefined;
}

/** What follows from it. */
export interface Determined {
  /** Relations of which at most one row is left, and those of which nothing can be said. */
  readonly nodes: ReadonlySet<number>;
  has(column: NodeColumn): boolean;
}

/**
 * Closes what is known under the joins of a block: equal columns share their value, a whole key leaves one row of its
 * relation, one row gives all of its columns. So the rows of a relation are repeated by a join exactly when they do not
 * determine all other relations (attribute closure under functional dependencies: Abiteboul, Hull, Vianu, Foundations
 * of Databases, chapter 8).
 *
 * With `trusting` a relation of which no key is known counts as determined as soon as one of its columns is: for rules
 * that must not claim what the catalog does not say.
 */
export function determine(graph: JoinGraph, known: Known, { trusting = false } = {}): Determined {
  const nodes = new Set(known.nodes);
  const columns = new Set<string>();
  const id = (column: NodeColumn): string => `${column.relation} ${column.key}`;
  const has = (column: NodeColumn): boolean => nodes.has(column.relation) || columns.has(id(column));
  for (const column of [...(known.columns ?? []), ...graph.fixed]) columns.add(id(column));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { left, right } of graph.links)
      for (const [from, to] of [
        [left, right],
        [right, left],
      ] as const)
        if (has(from) && !has(to)) {
          columns.add(id(to));
          isChanged = true;
        }
    for (const { relation, keys, resolved } of graph.nodes) {
      if (nodes.has(relation)) continue;
      const isDetermined =
        keys === undefined
          ? trusting &&
            (resolved.kind !== 'relation' ||
              graph.links.some(({ left, right }) =>
                [left, right].some((side) => side.relation === relation && has(side)),
              ))
          : keys.some((key) => key.every((member) => columns.has(`${relation} ${member}`)));
      if (!isDetermined) continue;
      nodes.add(relation);
      isChanged = true;
    }
  }
  return { nodes, has };
}

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

/**
 * A foreign key between two relations of a block as the condition of their join; undefined where it connects other
 * relations.
 */
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
