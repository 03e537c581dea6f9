import type { Severity } from '../inspect/finding.ts';
import type { AttributeId, RelationId } from '../schema/schema.ts';
import type { Value } from '../values/value.ts';

/** What a look at a live database can find. `docs/guide/check.md` explains each. */
export const CHECK_CODES = [
  // The catalog: keys
  'relation-without-key',
  'key-part-nullable',
  'key-holds-key',
  'key-holds-surrogate',
  // The catalog: foreign keys
  'foreign-key-without-target',
  'foreign-key-to-no-key',
  'foreign-key-type-mismatch',
  'foreign-key-repeated',
  'reference-undeclared',
  'relation-isolated',
  // The rows
  'rows-without-target',
  'key-part-null',
  'key-repeated',
  'key-suspected',
  'dependency-suspected',
] as const;

export type CheckCode = (typeof CHECK_CODES)[number];

/** One cell of a row that is shown as evidence. */
export interface EvidenceCell {
  readonly attribute: string;
  readonly value: Value;
}

/** A functional dependency that holds in the rows that were read, or nearly. A suspect: only who knows the subject can say whether it is a rule. */
export interface SuspectedDependency {
  readonly left: readonly string[];
  readonly right: string;
  /** Share of `rows` that must go so that it holds; 0 where it is exact in what was read. */
  readonly g3: number;
  readonly violations: number;
  /** Rows that were read and have no NULL on the left. */
  readonly rows: number;
  readonly distinctLeft: number;
  /** Rows that would be expected to break it by accident; see `DiscoveredDependency` of `discoverDependencies`. */
  readonly expectedViolations: number;
  /** A row that disagrees with most others of its left side, and one of those: key, left side and right side. */
  readonly counterExample?:
    | {
        readonly row: readonly EvidenceCell[];
        readonly usual: readonly EvidenceCell[];
        /** Rows of the left side that have the usual value. */
        readonly usualCount: number;
      }
    | undefined;
}

/** How the values of a reference, declared or not, are found in what it refers to. */
export interface Inclusion {
  /** Rows that were read, and those of them without a NULL in the reference. */
  readonly rows: number;
  readonly filled: number;
  /** Rows whose values are not there. */
  readonly missing: number;
  /** Different values (of one attribute), and those that are not there. */
  readonly distinct?: number | undefined;
  readonly distinctMissing?: number | undefined;
  /** Some rows whose values are not there: key and reference. */
  readonly examples: readonly (readonly EvidenceCell[])[];
  /** False where the relation has more rows than were read. */
  readonly whole: boolean;
}

/** One thing that speaks against a schema, or that is worth a look. */
export interface CheckFinding {
  readonly code: CheckCode;
  /** `error`: a constraint that is declared does not hold, or cannot. `warning`: usually a mistake. `note`: worth a look. */
  readonly severity: Severity;
  readonly relation: RelationId;
  readonly attributes: readonly AttributeId[];
  /** What it refers to, of foreign keys and references; undefined where that does not exist. */
  readonly target?: { readonly relation: RelationId; readonly attributes: readonly AttributeId[] } | undefined;
  readonly message: string;
  readonly advice: string;
  /** Of `dependency-suspected`: one for each right side. */
  readonly suspects?: readonly SuspectedDependency[] | undefined;
  readonly inclusion?: Inclusion | undefined;
  /** Rows that show it. */
  readonly rows?: readonly (readonly EvidenceCell[])[] | undefined;
}
