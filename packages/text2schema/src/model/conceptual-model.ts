/** A kind of thing that exists by itself. Its attributes describe it alone: no keys of other entity sets. */
export interface EntitySet {
  /** A noun, singular. */
  readonly name: string;
  readonly attributes: readonly string[];
}

/**
 * `many`: many of this entity set may be connected with one combination of the others; `one`: at most one. In "a department employs
 * employees" the department is `one` and the employee `many`.
 */
export type Cardinality = 'one' | 'many';

/** An entity set in a relationship set. */
export interface Participant {
  /** The name of an entity set. */
  readonly entity: string;
  /** What it is in this relationship: needed where an entity set takes part twice (`manager`, `report`). */
  readonly role?: string | undefined;
  readonly cardinality: Cardinality;
}

/** How entity sets are connected. It has no id of its own: its key is made of the keys of its participants. */
export interface RelationshipSet {
  /** A verb, or a verb with its object. */
  readonly name: string;
  /** At least two. */
  readonly participants: readonly Participant[];
  /** Facts of the connection itself: when, how many, at which price. */
  readonly attributes: readonly string[];
}

/** The entity-relationship model of the conceptual designer. Plain JSON. */
export interface ConceptualModel {
  readonly entitySets: readonly EntitySet[];
  readonly relationshipSets: readonly RelationshipSet[];
}
