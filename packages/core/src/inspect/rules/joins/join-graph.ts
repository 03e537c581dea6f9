import type { RelationShape, Span } from '../../../ports/query-shape.ts';
import type { AttributeId } from '../../../schema/schema.ts';
import type { ResolvedBlock, ResolvedRelation } from '../../resolved-query.ts';

/** Sets of columns, each of which no two rows share. An empty set: there is one row at most. */
export type BlockKeys = readonly (readonly string[])[];

/** A column of one relation of a block. */
export interface NodeColumn {
  /** Index into the block's relations. */
  readonly relation: number;
  /** Tells it from the other columns of its relation: the id of its attribute, or the folded name of a block's output. */
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
  /** Keys of {@link NodeColumn} that no two rows share; an empty one says that there is one row at most. Undefined where none is known. */
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
  /** Columns that a condition which always holds compares with a literal, a parameter or a column of a block around this one. */
  readonly fixed: readonly NodeColumn[];
}

/** The column of a relation of this very block that a reference names; undefined for anything else and for fields inside a column. */
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
