import type { DataType, DomainConstraint, RelationId, Schema } from '@askema/core';
import type { Decomposition, FunctionalDependency } from '@askema/normal-form';
import type { SchemaRole } from './role-id.ts';

/** What the logical designer says of an attribute. */
export interface ProposedAttribute {
  readonly name: string;
  readonly type: DataType;
  /** Explicit constraints of the requirement; used only where the option `explicitConstraints` is on. */
  readonly constraints: readonly DomainConstraint['constraint'][];
}

/**
 * What the logical designer says of one entity set or relationship set of the conceptual model. Dependencies are over
 * its own attributes and over the entity sets (or role names) it is connected with, which stand for their keys:
 * `{ left: ['Student', 'Course'], right: ['Grade'] }`.
 */
export interface ProposedSet {
  /** The name of the entity set or relationship set. */
  readonly set: string;
  readonly attributes: readonly ProposedAttribute[];
  readonly dependencies: readonly FunctionalDependency[];
  /** Which candidate key should identify a row, where there are several. Empty: the first one that the tools find. */
  readonly preferredKey: readonly string[];
  /**
   * What its relation is called, where it becomes one: `Enrolment` for the relationship set `Enrol`. Default: the name
   * of the set.
   */
  readonly relation?: string | undefined;
}

/**
 * The proposal of the logical designer: data types and functional dependencies. Keys and relations are made by tools.
 */
export interface LogicalProposal {
  readonly sets: readonly ProposedSet[];
}

/** Where a relation of the schema comes from, and the proof of its form. */
export interface DesignedRelation {
  readonly relation: RelationId;
  readonly name: string;
  /** The set of the conceptual model whose decomposition this relation is a part of. */
  readonly source: { readonly set: string; readonly kind: 'entity' | 'relationship' };
  /** Sets whose facts it holds too, because each of its rows has one of them: many-to-one relationship sets. */
  readonly absorbed: readonly string[];
  readonly dependencies: readonly FunctionalDependency[];
  readonly candidateKeys: readonly (readonly string[])[];
}

/** What the tools make of a proposal. Plain JSON. */
export interface LogicalDesign {
  readonly schema: Schema;
  readonly relations: readonly DesignedRelation[];
  /** One for each set that became relations: the certificate stands in it. */
  readonly decompositions: readonly Decomposition[];
  readonly findings: readonly DesignFinding[];
}

/**
 * What code finds in a conceptual model or in a logical proposal. Codes are documented in docs/guide/text2schema.md.
 */
export interface DesignFinding {
  /** Kebab-case and stable: `relationship-has-id`, `entity-without-key`. */
  readonly code: string;
  /** With an open `error` the design does not go on. */
  readonly severity: 'error' | 'warning';
  /** The entity set, relationship set or attribute. */
  readonly subject: string;
  /** What is wrong, with names. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Who can mend it. */
  readonly role: SchemaRole;
}

/** A schema as baselines write it and as people read it: names in place of ids. Plain JSON. */
export interface NamedSchema {
  readonly relations: readonly NamedRelation[];
}

/** A relation of a {@link NamedSchema}. Keys name attributes; the two sides of a foreign key have the same order. */
export interface NamedRelation {
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly type: DataType }[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly {
    readonly attributes: readonly string[];
    readonly target: string;
    readonly targetAttributes: readonly string[];
  }[];
}

/** What holds in a relation of a {@link NamedSchema} beside its key. Names of attributes. */
export interface RelationRules {
  readonly unique: readonly string[];
  readonly required: readonly string[];
  readonly dependencies: readonly { readonly left: readonly string[]; readonly right: readonly string[] }[];
}
