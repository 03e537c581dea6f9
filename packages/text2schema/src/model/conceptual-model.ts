/** A kind of thing that exists by itself. Its attributes describe it alone: no keys of other entity sets. */
export interface EntitySet {
  /** A noun, singular. */
  readonly name: string;
  readonly attributes: readonly string[];
}

/**
 * `many`: many of this entity set may be connected with one combination of the others; `one`: at most one. In "a
 * department employs employees" the department is `one` and the employee `many`.
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

/** Something that the requirement leaves open, or says in two ways. */
export interface Clarification {
  readonly kind: 'ambiguity' | 'contradiction';
  /** What must be decided. */
  readonly question: string;
  /** Sentences of the requirement, word for word; both sides of a contradiction. */
  readonly quotes: readonly string[];
  /** What holds when nobody answers. */
  readonly assumption: string;
  /** What was answered, if anybody did. */
  readonly answer?: string | undefined;
}

/**
 * A kind of thing or record that the requirement wants stored, with the facts of it, in the requirement's own words.
 */
export interface ReportSubject {
  readonly name: string;
  /** Its own facts; nothing that belongs to another subject, nothing that the requirement does not speak of. */
  readonly attributes: readonly string[];
  readonly description: string;
}

/** The functional requirement report of the product manager: what every role reads. Plain JSON. */
export interface RequirementReport {
  /** BCP 47, of the requirement: `en`, `zh`. The report is written in it. */
  readonly language: string;
  readonly title: string;
  readonly summary: string;
  /** What people must be able to do, one sentence each. */
  readonly functions: readonly string[];
  readonly subjects: readonly ReportSubject[];
  /** How many of one belong to how many of the other, said or implied, both directions: one sentence each. */
  readonly relationships: readonly string[];
  /** What must be present, unique or within limits. */
  readonly rules: readonly string[];
  readonly clarifications: readonly Clarification[];
}
