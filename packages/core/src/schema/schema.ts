/**
 * The Schema 5-tuple S = (R, A, P, F, D): relations, attributes, primary keys, foreign keys, domain constraints
 * (Definition 1 of the Text2Schema paper). Plain, readonly JSON without methods.
 */

/** The five logical types of the paper. What has no place among them (nested types) counts as `TEXT`. */
export type DataType = 'NUMERIC' | 'TEXT' | 'DATETIME' | 'BINARY' | 'BOOL';

/** All data types, in the order of the paper. */
export const DATA_TYPES: readonly DataType[] = ['NUMERIC', 'TEXT', 'DATETIME', 'BINARY', 'BOOL'];

declare const idBrand: unique symbol;
/** Identifies a relation; made by {@link relationId}, stable across processes. */
export type RelationId = string & { readonly [idBrand]?: 'relation' };
/** Identifies an attribute; made by {@link attributeId}, stable across processes. */
export type AttributeId = string & { readonly [idBrand]?: 'attribute' };
/** Identifies a foreign key; made by {@link foreignKeyId}, stable across processes. */
export type ForeignKeyId = string & { readonly [idBrand]?: 'foreignKey' };

/** A member of R. `name` is kept as it was written. */
export interface Relation {
  readonly id: RelationId;
  readonly name: string;
}

/** A member of A. */
export interface Attribute {
  readonly id: AttributeId;
  readonly relation: RelationId;
  readonly name: string;
  readonly type: DataType;
}

/** A member of P: a non-empty list of attributes of one relation, in key order. */
export interface PrimaryKey {
  readonly relation: RelationId;
  readonly attributes: readonly AttributeId[];
}

/** One foreign key, composite or not. The paper's F is the flat list of all `pairs`. */
export interface ForeignKey {
  readonly id: ForeignKeyId;
  readonly relation: RelationId;
  readonly target: RelationId;
  readonly pairs: readonly { readonly from: AttributeId; readonly to: AttributeId }[];
}

/** A member of D: a constraint on a single attribute. */
export interface DomainConstraint {
  readonly attribute: AttributeId;
  readonly constraint: 'not null' | 'unique';
}

/** The 5-tuple. Order is meaningful only in that it is kept: relations and attributes stay as they were declared. */
export interface Schema {
  readonly relations: readonly Relation[];
  readonly attributes: readonly Attribute[];
  readonly primaryKeys: readonly PrimaryKey[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly domainConstraints: readonly DomainConstraint[];
}

/** A schema with nothing in it. */
export const EMPTY_SCHEMA: Schema = {
  relations: [],
  attributes: [],
  primaryKeys: [],
  foreignKeys: [],
  domainConstraints: [],
};
