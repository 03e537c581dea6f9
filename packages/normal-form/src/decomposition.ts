import type { FunctionalDependency, RelationScheme } from './functional-dependency.ts';

/** Candidate keys, shortest first, then in the order of the attributes. */
export interface CandidateKeys {
  readonly keys: readonly (readonly string[])[];
  /** False when the search was cut at its limit: there may be more keys; those listed are keys all the same. */
  readonly complete: boolean;
}

/** From the lowest to the highest. 1NF is taken for granted: cells are values. */
export type NormalFormName = '1NF' | '2NF' | '3NF' | 'BCNF';

/** Why a relation is not in a normal form. */
export interface NormalFormViolation {
  /** The form that the dependency breaks. */
  readonly breaks: '2NF' | '3NF' | 'BCNF';
  readonly dependency: FunctionalDependency;
  /** One sentence with the names. */
  readonly reason: string;
}

/** Which normal form a relation is in, and what keeps it from the next ones. */
export interface NormalFormVerdict {
  /** The highest form that holds. */
  readonly form: NormalFormName;
  readonly violations: readonly NormalFormViolation[];
  /** False when the keys were cut, so that a violation may be wrongly reported: prime attributes may be missing. */
  readonly complete: boolean;
}

/** A part of a decomposition. */
export interface DecomposedRelation {
  readonly name: string;
  /** In the order of the original relation. */
  readonly attributes: readonly string[];
  /** A candidate key of this part; empty only where every attribute of the part is constant. */
  readonly key: readonly string[];
  /** Further candidate keys that the cover names: they are unique in this part. Often empty. */
  readonly alternateKeys: readonly (readonly string[])[];
  /**
   * What holds in this part: its key determines the rest, each alternate key determines the key, and what a part inside
   * of it said.
   */
  readonly dependencies: readonly FunctionalDependency[];
}

/**
 * A foreign key between two parts: attributes are called the same on both sides. They are the key of `to`, or one of
 * its alternate keys where `from` does not hold the key (a database wants UNIQUE on it then).
 */
export interface DerivedForeignKey {
  readonly from: string;
  readonly to: string;
  readonly attributes: readonly string[];
}

/** What proves a decomposition; `verifyCertificate` checks it without the code that made it. Plain JSON. */
export interface NormalFormCertificate {
  /** Each part and its key, which determines the part and no part of which does. */
  readonly keys: readonly { readonly relation: string; readonly key: readonly string[] }[];
  /**
   * The chase that proves that joining the parts loses nothing: the row of `row` becomes complete, step by step; each
   * takes the right side of `dependency` over from the row of `from`, which agrees with it on the left side. No steps
   * where one part holds everything.
   */
  readonly lossless: { readonly row: string; readonly steps: readonly ChaseStep[] };
  /** Dependencies that stand in a part each, and from which all of the original follow. */
  readonly preserved: readonly { readonly dependency: FunctionalDependency; readonly relation: string }[];
}

/** One step of a chase. */
export interface ChaseStep {
  readonly dependency: FunctionalDependency;
  /** The part whose row lends the right side. */
  readonly from: string;
}

/** Relations in third normal form that together hold what one relation held. */
export interface Decomposition {
  readonly original: RelationScheme;
  /** The part that contains a key of the original first; it has the original's name. */
  readonly relations: readonly DecomposedRelation[];
  readonly foreignKeys: readonly DerivedForeignKey[];
  readonly certificate: NormalFormCertificate;
}
