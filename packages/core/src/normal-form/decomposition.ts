import type { FunctionalDependency, RelationScheme } from './functional-dependency.ts';

/** Candidate keys, shortest first, then in the order of the attributes. */
export interface CandidateKeys {
  readonly keys: readonly (readonly string[])[];
  /** False when the search was cut at its limit: there may be more keys; those listed are keys all the same. */
  readonly complete: boolean;
}

export type NormalFormName = '1NF' | '2NF' | '3NF' | 'BCNF';

/** Why a relation is not in a normal form. */
export interface NormalFormViolation {
  /** The form that the dependency breaks. */
  readonly breaks: '2NF' | '3NF' | 'BCNF';
  readonly dependency: FunctionalDependency;
  /** One sentence with the names. */
  readonly reason: string;
}

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
  /** A candidate key of this part. */
  readonly key: readonly string[];
  /** The dependencies of the cover that hold in this part. */
  readonly dependencies: readonly FunctionalDependency[];
}

/** A foreign key between two parts: attributes are called the same on both sides. */
export interface DerivedForeignKey {
  readonly from: string;
  readonly to: string;
  readonly attributes: readonly string[];
}

/** What proves a decomposition; `verifyCertificate` checks it without the code that made it. Plain JSON. */
export interface NormalFormCertificate {
  /** For each part, by name: its key, and the attributes of the closure that proves it. */
  readonly keys: readonly { readonly relation: string; readonly key: readonly string[] }[];
  /** The steps of the chase that make one row of the tableau complete; empty where there is one part. */
  readonly lossless: readonly { readonly dependency: FunctionalDependency; readonly row: string }[];
  /** For each dependency of the minimal cover: the part in which it stands. */
  readonly preserved: readonly { readonly dependency: FunctionalDependency; readonly relation: string }[];
}

/** Relations in third normal form that together hold what one relation held. */
export interface Decomposition {
  readonly original: RelationScheme;
  readonly relations: readonly DecomposedRelation[];
  readonly foreignKeys: readonly DerivedForeignKey[];
  readonly certificate: NormalFormCertificate;
}
